import type { ComponentProps } from 'react'

interface StateProps extends ComponentProps<'span'> {
  symbol: string
  /** A class: "text-ok". */
  color: string
  /** A class, of the symbol. */
  width?: string
}

/** A state is a symbol and a word. The color repeats them. */
export function State({ symbol, color, width = 'w-3', children, ...attributes }: StateProps) {
  return (
    <span {...attributes} className={`inline-flex items-center gap-1.5 ${color}`}>
      <span aria-hidden className={`inline-block ${width} shrink-0 text-center leading-none`}>
        {symbol}
      </span>
      {children}
    </span>
  )
}
