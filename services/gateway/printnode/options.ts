/**
 * Translates print options. Unknown options and values for "not set" have no effect, because programs send all options
 * to any printer. A value of another type, such as the text "2", is converted. A value that an option cannot have
 * stays, so that the job is refused and names it. A `rotate` is absolute there: of the page as it is in the document.
 * Here it is as well what the reader of the sheet sees, so the value is the same.
 */
import { PRINT_OPTIONS } from '@platen/resources/print-options.ts'

/** What programs send for "not set". */
const UNSET: Record<string, unknown> = { pages: '-', nup: 1, rotate: 0, collate: false }

/** Forms have texts alone, and some languages write booleans as 1 and 0. */
const CONVERSIONS: ((value: unknown) => unknown)[] = [
  (value) => value,
  (value) => (typeof value === 'string' && /^-?\d{1,9}$/.test(value.trim()) ? Number(value) : undefined),
  (value) => (typeof value === 'number' ? String(value) : undefined),
  (value) => BOOLEANS.get(String(value).trim().toLowerCase()),
]
const BOOLEANS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/** @returns the options of `/v1`, or what is no object as it is. */
export function toOptions(sent: unknown): unknown {
  const options = parseText(sent)
  // PHP writes an empty object as an empty list.
  if (options === null || options === undefined || (Array.isArray(options) && options.length === 0)) return {}
  if (typeof options !== 'object' || Array.isArray(options)) return options
  const known = Object.entries(options)
    .filter(([name, value]) => Object.hasOwn(PRINT_OPTIONS.shape, name) && value !== null && value !== '')
    .map(([name, value]) => [name, convert(name, value)] as const)
  return Object.fromEntries(known.filter(([name, value]) => UNSET[name] !== value))
}

/** Forms without nested fields have the options as JSON. */
function parseText(sent: unknown): unknown {
  if (typeof sent !== 'string') return sent
  try {
    return sent.trim() === '' ? undefined : JSON.parse(sent)
  } catch {
    return sent // The validation refuses it.
  }
}

function convert(name: string, value: unknown): unknown {
  const candidates = CONVERSIONS.map((conversion) => conversion(value)).filter((one) => one !== undefined)
  return candidates.find((one) => PRINT_OPTIONS.safeParse({ [name]: one }).success) ?? value
}
