/** One line of the output of `platen doctor`. */
export interface Finding {
  text: string
  /** What the operator can do. Undefined: all is well. */
  remedy?: string
}

export const ok = (text: string): Finding => ({ text })

export const problem = (text: string, remedy: string): Finding => ({ text, remedy })

export const render = ({ text, remedy }: Finding): string =>
  remedy === undefined ? `ok  ${text}` : `!!  ${text}: ${remedy}`
