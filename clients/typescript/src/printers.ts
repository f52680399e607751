import { PrinterNotFound } from './errors.ts'
import { Printers as Operations } from './gen/operations.ts'
import type { Printer } from './gen/schema.ts'
import type { RequestOptions } from './http.ts'

/** The number of names of an error message. */
const LISTED_MAX = 20
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

export class Printers extends Operations {
  /**
   * Finds a printer by its id, its number, or its name: the whole name, or else the beginning of only one name. Names
   * need a list of all printers, so store the id to print often.
   *
   * @param printer the id, the number, or one of `displayName`, `name` and `osName`.
   * @throws PrinterNotFound if no printer or more than one matches.
   */
  async find(printer: string | number, options?: RequestOptions): Promise<Printer> {
    if (isId(printer)) return await this.get(printer, options)
    const all: Printer[] = []
    for await (const one of this.list({ limit: 100 }, options)) all.push(one)
    return choosePrinter(printer, all)
  }

  /** It is `find`, without a request for an id. */
  async findId(printer: string | number, options?: RequestOptions): Promise<string> {
    return isId(printer) ? printer : (await this.find(printer, options)).id
  }
}

export const isId = (text: string | number): text is string => typeof text === 'string' && UUID.test(text)

/** @throws PrinterNotFound */
function choosePrinter(wanted: string | number, all: Printer[]): Printer {
  const text = String(wanted)
  const hasPrefix = (name: string) => name.toLowerCase().startsWith(text.toLowerCase())
  const rules: ((printer: Printer & { number?: number | null }) => boolean)[] = [
    ({ number }) => typeof wanted === 'number' && number === wanted,
    ({ displayName }) => displayName === text,
    ({ name, osName }) => name === text || osName === text,
    ({ number }) => /^#?\d+$/.test(text) && number === Number(text.replace('#', '')),
    ({ displayName, name, osName }) => text !== '' && [displayName, name, osName].some(hasPrefix),
  ]
  const matches = (typeof wanted === 'number' ? rules.slice(0, 1) : rules.slice(1))
    .map((rule) => all.filter(rule))
    .find((found) => found.length > 0)
  const [printer, ...others] = matches ?? []
  if (printer && others.length === 0) return printer
  const problem = printer ? `${matches?.length} printers match` : 'No printer has the name'
  throw new PrinterNotFound(`${problem} ${JSON.stringify(wanted)}. ${describe(matches ?? all)}`)
}

function describe(printers: Printer[]): string {
  if (printers.length === 0) return 'The organization has no printers in the mode of this key.'
  const names = printers.slice(0, LISTED_MAX).map(({ displayName, id }) => `${JSON.stringify(displayName)} (${id})`)
  const rest = printers.length > LISTED_MAX ? ` and ${printers.length - LISTED_MAX} more` : ''
  return `Choose one of: ${names.join(', ')}${rest}.`
}
