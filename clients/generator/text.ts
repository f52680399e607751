/** Names and lines of generated code. */

export const WIDTH = 120

export const capitalize = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`
export const toSnakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** `rotateSecret` of `rotate-secret`, `NotFound` of `_not_found`. */
export const toCamelCase = (name: string) => name.replaceAll(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase())

/** The lines of a paragraph. */
export function wrap(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line === '') lines[lines.length - 1] = word
    else if (`${line} ${word}`.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}

/** `${open}${parts}${close}`, with a line for each part if it is longer than a line. */
export function inLines(indent: string, open: string, parts: string[], close: string, step: string): string {
  const line = `${indent}${open}${parts.join(', ')}${close}`
  if (line.length <= WIDTH) return line
  const inner = parts.map((part) => `${indent}${step}${part},`)
  return [`${indent}${open.trimEnd()}`, ...inner, `${indent}${close.trimStart()}`].join('\n')
}
