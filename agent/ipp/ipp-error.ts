/** What can go wrong with a request, told apart by what the caller may conclude. Every message is for people. */
import type { IppStatus } from './status-codes.ts'

/** The server has said no. */
export class IppError extends Error {
  override name = 'IppError'
  readonly status: IppStatus

  constructor(status: IppStatus, message: string) {
    super(message)
    this.status = status
  }
}

/** There is no answer: the server may have done what it was asked, unless it was never `connected`. */
export class IppConnectionError extends Error {
  override name = 'IppConnectionError'
  /** False when not a byte of the request was sent. */
  readonly connected: boolean

  constructor(message: string, connected: boolean, cause?: unknown) {
    super(message, { cause })
    this.connected = connected
  }
}

/** There is an answer, and it cannot be read. The server has done something or other. */
export class IppDecodingError extends Error {
  override name = 'IppDecodingError'
}
