/** Reasons why an outbound request failed. Messages contain no data of the server; callers decide what to report. */

/**
 * - `timeout`: the request did not finish before its deadline.
 * - `dns`: the host has no address; `dns_failed`: no DNS server answered; `blocked_address`: an address of the host is
 *   not allowed.
 * - `connect`, `tls`: no connection, or an invalid certificate.
 * - `redirect`, `status`: an unsuccessful response.
 * - `encoding`: a compressed response; `too_large`: a response over the size limit.
 * - `response`: the response is not valid HTTP, has too many headers, or is incomplete.
 */
export type FetchFault =
  | 'timeout'
  | 'dns'
  | 'dns_failed'
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
  /** Status of the response, if one was received. */
  readonly status: number | undefined

  constructor(fault: FetchFault, options: ErrorOptions & { status?: number } = {}) {
    super(`the request failed: ${fault}`, options)
    this.fault = fault
    this.status = options.status
  }
}
