/**
 * Translates print options. Unknown options and values have no effect, because programs send all options to any printer. A `rotate` is absolute
 * there: of the page as it is in the document. Here it is as well what the reader of the sheet sees, so the value is the same.
 */
import { PRINT_OPTIONS } from '@platen/resources/print-options.ts'

/** What programs send for "not set". */
const UNSET: Record<string, unknown> = { pages: '-', nup: 1, rotate: 0, collate: false }

export function toOptions(sent: unknown): Record<string, unknown> {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return {}
  const known = Object.entries(sent).filter(([name, value]) => {
    if (!Object.hasOwn(PRINT_OPTIONS.shape, name) || value === null || value === '' || UNSET[name] === value)
      return false
    return PRINT_OPTIONS.safeParse({ [name]: value }).success
  })
  return Object.fromEntries(known)
}
