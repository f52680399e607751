import type { ReactNode } from 'react'
import { CopyButton } from './copy.tsx'

interface EmptyProps {
  /** What would be here: "No print jobs yet". */
  title: string
  children?: ReactNode
  /** The command that creates the first one. */
  curl?: string | undefined
}

/** Only after a successful answer without items. */
export function Empty({ title, children, curl }: EmptyProps) {
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-12 text-center" data-empty>
      <p className="font-semibold">{title}</p>
      {children && <div className="max-w-prose text-sm text-muted">{children}</div>}
      {curl && (
        <div className="flex w-full max-w-2xl flex-col items-end gap-2 text-left">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
          <pre className="code w-full" tabIndex={0}>
            {curl}
          </pre>
          <CopyButton text={curl} label="Copy command" />
        </div>
      )}
    </div>
  )
}
