/** Parses the values of options. */
import { InvalidArgumentError } from 'commander'

export function parsePositive(text: string): number {
  const number = Number(text)
  if (!/^\d{1,9}$/.test(text) || number === 0) throw new InvalidArgumentError('It must be a whole number above 0.')
  return number
}

export function parseNonNegative(text: string): number {
  const number = Number(text)
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return number
}

export const collect = (text: string, earlier: string[] = []): string[] => [...earlier, text]

const PAIR = /^([^=]+)=(.*)$/s

/** `order=4711`: both are texts. */
export function parsePair(text: string, earlier: Record<string, string> = {}): Record<string, string> {
  const [, name, value] = PAIR.exec(text) ?? []
  if (name === undefined || value === undefined) throw new InvalidArgumentError('Write it as name=value.')
  return { ...earlier, [name]: value }
}

/** `copies=2` is a number, `color=false` a boolean, `duplex=long-edge` a text. */
export function parseOptions(text: string, earlier: Record<string, unknown> = {}): Record<string, unknown> {
  const [, name, value] = /^([\w-]+)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined) throw new InvalidArgumentError('Write it as name=value.')
  return { ...earlier, [name]: parseValue(value) }
}

/** Everything but whole numbers, `true`, `false` and `null` is text. */
function parseValue(text: string): unknown {
  if (text === 'true' || text === 'false' || text === 'null') return JSON.parse(text)
  return /^-?(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text
}
