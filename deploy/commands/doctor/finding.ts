/** One line of the output of `platen-server doctor`. */
export interface Finding {
  text: string
  /** What the operator can do. Undefined: all is well. */
  remedy?: string
}

export const ok = (text: string): Finding => ({ text })

export const problem = (text: string, remedy: string): Finding => ({ text, remedy })

/** One line, although errors of libraries can have several, and end like a sentence. */
export const render = ({ text, remedy }: Finding): string => {
  const line = text.replace(/\s+/g, ' ').replace(/[. ]+$/, '')
  return remedy === undefined ? `ok  ${line}` : `!!  ${line}: ${remedy}`
}
