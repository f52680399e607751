import type { ReactNode } from 'react'

interface Column {
  label: string
  /** Width, and from which width of the screen the column is shown. Its cells need the same classes of visibility. */
  className?: string
  /** For a column of buttons: the label is read only. */
  isHidden?: boolean
}

interface TableProps {
  label: string
  columns: Column[]
  /** `<tr>` elements. */
  children: ReactNode
}

/** A plain table that scrolls in itself on narrow screens. */
export function Table({ label, columns, children }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="relative overflow-x-auto" aria-label={label} tabIndex={0}>
      <table className="table" aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.label} scope="col" className={column.className}>
                {column.isHidden ? <span className="sr-only">{column.label}</span> : column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}
