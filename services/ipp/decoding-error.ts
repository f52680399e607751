import type { IppStatus } from './status-codes.ts'

/** A message that is no IPP. Messages are sentences. */
export class IppDecodingError extends Error {
  override name = 'IppDecodingError'
  /** What a server answers to such a request. */
  readonly status: IppStatus

  constructor(message: string, status: IppStatus = 'client-error-bad-request') {
    super(message)
    this.status = status
  }
}
