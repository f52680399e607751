import { type ReactNode, useId } from 'react'

interface SectionProps {
  title: string
  /** Buttons at the right of the title. */
  actions?: ReactNode
  /** Without space around the content, for tables. */
  isFlush?: boolean
  children: ReactNode
}

/** A part of a page with a title. */
export function Section({ title, actions, isFlush = false, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="panel min-w-0">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-2 border-b px-4 py-1.5">
        <h2 id={id} className="panel-title">
          {title}
        </h2>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      <div className={isFlush ? 'section-table' : 'p-4'}>{children}</div>
    </section>
  )
}
