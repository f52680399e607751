/** Errors of requests, by what the caller can conclude. Messages are for users. */
import type { IppStatus } from '@platen/ipp/status-codes.ts'

/** The server refused the request. */
export class IppError extends Error {
  override name = 'IppError'
  readonly status: IppStatus
  /** The text of the server. */
  readonly detail: string | undefined

  constructor(status: IppStatus, message: string, detail?: string) {
    super(message)
    this.status = status
    this.detail = detail
  }
}

/** No response. The server may have executed the request, unless `connected` is false. */
export class IppConnectionError extends Error {
  override name = 'IppConnectionError'
  /** False if no byte of the request was sent. */
  readonly connected: boolean

  constructor(message: string, connected: boolean, cause?: unknown) {
    super(message, { cause })
    this.connected = connected
  }
}

/** The server has another key than expected. Nothing was sent. The message is for users. */
export class UnknownKeyError extends IppConnectionError {
  override name = 'UnknownKeyError'

  constructor(message: string) {
    super(message, false)
  }
}
