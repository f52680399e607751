import type { Body, PrintJobData, Query, Result } from './api.ts'
import { PrinterNotFound } from './errors.ts'
import type { Printer, PrinterChanges } from './gen/schema.ts'
import { type Http, path, type RequestOptions } from './http.ts'
import type { List } from './list.ts'
import type { PrintJob } from './print-job.ts'

/** The number of names of an error message. */
const LISTED_MAX = 20
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

export class Printers {
  readonly #http: Http
  readonly #toJob: (data: PrintJobData) => PrintJob

  constructor(http: Http, toJob: (data: PrintJobData) => PrintJob) {
    this.#http = http
    this.#toJob = toJob
  }

  /**
   * Lists the printers of the organization and mode of the key, the newest first by default. A test key gets the four
   * virtual printers of test mode.
   *
   * Requires the scope `read`.
   *
   * @operation listPrinters
   */
  list(query?: Query<'listPrinters'>, options?: RequestOptions): List<Printer> {
    return this.#http.list<'listPrinters'>('/v1/printers', query, options)
  }

  /**
   * Returns the printer with its state, capabilities and your settings.
   *
   * Requires the scope `read`.
   *
   * @operation getPrinter
   */
  async get(id: string, options?: RequestOptions): Promise<Printer> {
    return await this.#http.json<'getPrinter'>({ method: 'GET', path: path`/v1/printers/${id}` }, options)
  }

  /**
   * Finds a printer by its id, its number, or its name: the whole name, or else the beginning of only one name. Names need a list of all
   * printers, so store the id to print often.
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

  /**
   * Lists the jobs for this printer, the newest first by default.
   *
   * Requires the scope `read`.
   *
   * @operation listPrinterPrintJobs
   */
  printJobs(id: string, query?: Query<'listPrinterPrintJobs'>, options?: RequestOptions): List<PrintJob> {
    return this.#http.list<'listPrinterPrintJobs', PrintJob>(
      path`/v1/printers/${id}/printjobs`,
      query,
      options,
      this.#toJob,
    )
  }

  /**
   * Changes only the sent fields. `customPapers` and `defaultOptions` replace their earlier values. Jobs that were
   * accepted before a printer is disabled wait until it is enabled again, or expire.
   *
   * Requires the scope `admin`.
   *
   * @operation updatePrinter
   */
  async update(id: string, changes: PrinterChanges, options?: RequestOptions): Promise<Printer> {
    const call = { method: 'PATCH', path: path`/v1/printers/${id}`, body: changes }
    return await this.#http.json<'updatePrinter'>(call, options)
  }

  /**
   * Ends the unfinished jobs of the printer with the reason `purged`. Jobs in `queued` and `sent` become `cancelled`.
   * Jobs in `received` become `error`, and jobs in `printing` as well if `includePrinting` is true. The agent removes
   * them from the print queue of its computer, at once or when it connects again. A page that is being printed may
   * still come out.
   *
   * Requires the scope `admin`.
   *
   * @operation purgePrinter
   */
  async purge(
    id: string,
    request: Body<'purgePrinter'> = {},
    options?: RequestOptions,
  ): Promise<Result<'purgePrinter'>> {
    const call = { method: 'POST', path: path`/v1/printers/${id}/purge`, body: request }
    return await this.#http.json<'purgePrinter'>(call, options)
  }
}

const isId = (printer: string | number): printer is string => typeof printer === 'string' && UUID.test(printer)

/** @throws PrinterNotFound */
function choosePrinter(wanted: string | number, all: Printer[]): Printer {
  const text = String(wanted)
  const hasPrefix = (name: string) => name.toLowerCase().startsWith(text.toLowerCase())
  const rules: ((printer: Printer & { number?: number | null }) => boolean)[] = [
    ({ number }) => typeof wanted === 'number' && number === wanted,
    ({ displayName }) => displayName === text,
    ({ name, osName }) => name === text || osName === text,
    ({ number }) => /^\d+$/.test(text) && number === Number(text),
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
