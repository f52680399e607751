/** Why a request to the outside failed. What is told of it to whom is the caller's: nothing here quotes what the other side said. */

/**
 * - `timeout`: not over within its deadline.
 * - `dns`: the host has no address; `blocked_address`: it has one that is not to be connected to.
 * - `connect`, `tls`: no connection, or none that can be trusted.
 * - `redirect`, `status`: an answer that is no success.
 * - `encoding`: an answer that would have to be unpacked; `too_large`: one of more bytes than were asked for.
 * - `response`: what came is no HTTP, has too many headers, or ended early.
 */
export type FetchFault =
  | 'timeout'
  | 'dns'
  | 'blocked_address'
  | 'connect'
  | 'tls'
  | 'redirect'
  | 'status'
  | 'encoding'
  | 'too_large'
  | 'response'

export class FetchFailure extends Error {
  readonly fault: FetchFault
  /** Of the answer, where there was one. */
  readonly status: number | undefined

  constructor(fault: FetchFault, options: ErrorOptions & { status?: number } = {}) {
    super(`the request failed: ${fault}`, options)
    this.fault = fault
    this.status = options.status
  }
}
