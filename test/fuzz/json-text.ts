/** Writes JSON in all the ways in which it may be written, and in some in which it may not. */

/** Text that stands in a body as it is. */
export class RawJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** An object whose members may come twice, in this order. */
export class Members {
  readonly entries: [name: string, value: unknown][]
  constructor(entries: [name: string, value: unknown][]) {
    this.entries = entries
  }
}

/** @returns an integer from 0 to below `below`; always 0 stands for the plainest way of writing. */
export type Choose = (below: number) => number

const SPACES = ['', '', '', ' ', '\n', '\r\n\t', '    ']

/** The same value for any choices: white space, order of members, escapes and forms of numbers are free in JSON. */
export function writeJson(value: unknown, choose: Choose): string {
  const space = () => SPACES[choose(SPACES.length)] ?? ''
  const write = (part: unknown): string => `${space()}${writePart(part)}${space()}`
  const writeMembers = (entries: [string, unknown][]) =>
    `{${entries.map(([name, member]) => `${space()}${writeString(name, choose)}${space()}:${write(member)}`).join(',')}}`

  function writePart(part: unknown): string {
    if (part instanceof RawJson) return part.text
    if (part instanceof Members) return writeMembers(part.entries)
    if (typeof part === 'string') return writeString(part, choose)
    if (typeof part === 'number' && Number.isInteger(part)) return writeInteger(part, choose)
    if (Array.isArray(part)) return `[${part.map(write).join(',')}]`
    if (typeof part === 'object' && part !== null) return writeMembers(shuffled(Object.entries(part), choose))
    return JSON.stringify(part) ?? 'null'
  }
  return write(value)
}

function writeInteger(value: number, choose: Choose): string {
  if (Object.is(value, -0)) return '-0'
  if (Math.abs(value) > 1e15) return String(value)
  const forms = [`${value}`, `${value}`, `${value}.0`, `${value}e0`, `${value}.000E+00`, `${value}0e-1`]
  return forms[value === 0 ? 0 : choose(forms.length)] as string
}

function writeString(value: string, choose: Choose): string {
  // Most strings stay plain, so that most of a document is as clients send it.
  const escapeOneIn = [0, 0, 0, 40, 3][choose(5)] ?? 0
  const escapeSlash = choose(3) === 1
  let written = ''
  for (let at = 0; at < value.length; at++) {
    const unit = value.charAt(at)
    if (escapeOneIn > 0 && choose(escapeOneIn) === 1)
      written += `\\u${value.charCodeAt(at).toString(16).padStart(4, '0')}`
    else if (unit === '/' && escapeSlash) written += '\\/'
    else if (unit >= '\ud800' && unit <= '\udfff') {
      const character = String.fromCodePoint(value.codePointAt(at) as number)
      written += JSON.stringify(character).slice(1, -1)
      at += character.length - 1
    } else written += JSON.stringify(unit).slice(1, -1)
  }
  return `"${written}"`
}

function shuffled<T>(items: T[], choose: Choose): T[] {
  const result = [...items]
  for (let at = result.length - 1; at > 0; at--) {
    const other = at - choose(at + 1)
    ;[result[at], result[other]] = [result[other] as T, result[at] as T]
  }
  return result
}
