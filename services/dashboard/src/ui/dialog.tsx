import { type ReactNode, useEffect, useId, useRef } from 'react'

interface DialogProps {
  title: string
  /** Called by Escape and by buttons with `formMethod="dialog"`. Without it the dialog cannot be closed. */
  onClose?: (() => void) | undefined
  children: ReactNode
  isWide?: boolean
}

/** A modal dialog, open while it is mounted. The browser holds the focus in it and gives it back. */
export function Dialog({ title, onClose, children, isWide = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = ref.current
    if (!dialog?.open) dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
      className={`panel m-auto w-[calc(100vw-2rem)] p-0 text-text shadow-xl ${isWide ? 'max-w-3xl' : 'max-w-md'}`}
    >
      <div className="flex flex-col gap-4 p-5">
        <h2 id={titleId} className="text-lg font-semibold">
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  )
}

export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap justify-end gap-2">{children}</div>
}
