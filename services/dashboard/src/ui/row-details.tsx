import { Fragment, type ReactNode } from 'react'

/** The second line of a row on phones, with what the hidden columns have. Empty parts are left out. */
export function RowDetails({ parts }: { parts: ReactNode[] }) {
  const shown = parts.filter(Boolean)
  if (shown.length === 0) return null
  return (
    <span className="block truncate text-xs text-muted sm:hidden">
      {shown.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a row do not move
        <Fragment key={index}>
          {index > 0 && ' · '}
          {part}
        </Fragment>
      ))}
    </span>
  )
}
