import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { takeFocus } from './take-focus.ts'

interface DialogProps {
  title: string
  /** Called by Escape and by buttons with `formMethod="dialog"`. Without it the dialog cannot be closed. */
  onClose?: (() => void) | undefined
  children: ReactNode
  isWide?: boolean
  /** For forms: Escape asks before it drops what was typed. */
  keepsInput?: boolean
}

/** A modal dialog, open while it is mounted. The browser holds the focus in it and gives it back. */
export function Dialog({ title, onClose, children, isWide = false, keepsInput = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const isTyped = useRef(false)
  const [isAsking, setIsAsking] = useState(false)
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog?.open) dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      onInput={() => {
        isTyped.current = keepsInput
      }}
      onCancel={(event) => {
        event.preventDefault()
        if (isTyped.current && !isAsking) setIsAsking(true)
        else onClose?.()
      }}
      className={`panel m-auto w-[calc(100vw-2rem)] p-0 text-text shadow-xl ${isWide ? 'max-w-3xl' : 'max-w-md'}`}
    >
      <div className="flex flex-col gap-4 p-5">
        <h2 id={titleId} className="text-lg font-semibold">
          {title}
        </h2>
        {children}
        {isAsking && (
          <div role="alert" className="flex flex-wrap items-center gap-2 rounded-md bg-warn-soft p-3 text-sm">
            <span className="grow">Close without saving what you entered?</span>
            <Button ref={takeFocus} onClick={() => setIsAsking(false)}>
              Continue editing
            </Button>
            <Button variant="danger" onClick={onClose}>
              Close without saving
            </Button>
          </div>
        )}
      </div>
    </dialog>
  )
}

export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap justify-end gap-2">{children}</div>
}
