import type { Query } from './api.ts'
import type { Computer, Printer } from './gen/schema.ts'
import { type Http, path, type RequestOptions } from './http.ts'
import type { List } from './list.ts'

export class Computers {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /**
   * Lists the computers of the organization and mode of the key, the newest first by default. A test key gets the
   * virtual test computer.
   *
   * Requires the scope `read`.
   *
   * @operation listComputers
   */
  list(query?: Query<'listComputers'>, options?: RequestOptions): List<Computer> {
    return this.#http.list<'listComputers'>('/v1/computers', query, options)
  }

  /**
   * Returns the computer and whether its agent is connected.
   *
   * Requires the scope `read`.
   *
   * @operation getComputer
   */
  async get(id: string, options?: RequestOptions): Promise<Computer> {
    return await this.#http.json<'getComputer'>({ method: 'GET', path: path`/v1/computers/${id}` }, options)
  }

  /**
   * Lists the printers of this computer, the newest first by default.
   *
   * Requires the scope `read`.
   *
   * @operation listComputerPrinters
   */
  printers(id: string, query?: Query<'listComputerPrinters'>, options?: RequestOptions): List<Printer> {
    return this.#http.list<'listComputerPrinters'>(path`/v1/computers/${id}/printers`, query, options)
  }

  /**
   * Permanently deletes the computer and its printers. Its agent is disconnected and cannot connect without a new
   * enrolment. Its jobs in `queued` and `sent` become `cancelled`; those in `received` and `printing` become `error`
   * with the reason `computer-deleted`. All its jobs stay readable. The virtual test computer cannot be deleted.
   *
   * Requires the scope `admin`.
   *
   * @operation deleteComputer
   */
  async delete(id: string, options?: RequestOptions): Promise<void> {
    await this.#http.json<'deleteComputer'>({ method: 'DELETE', path: path`/v1/computers/${id}` }, options)
  }
}
