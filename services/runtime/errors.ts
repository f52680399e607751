/**
 * All errors that callers of the API can receive. A throw site names the code; the table maps it to the HTTP status and
 * to the status of calls between services. Reference: docs/reference/errors.md#codes.
 */
import { Code, ConnectError } from '@connectrpc/connect'

const ERRORS = {
  invalid_request: { status: 400, rpc: Code.InvalidArgument },
  unauthorized: { status: 401, rpc: Code.Unauthenticated },
  sign_in_failed: { status: 401, rpc: Code.Unauthenticated },
  quota_exceeded: { status: 402, rpc: Code.ResourceExhausted },
  insufficient_scope: { status: 403, rpc: Code.PermissionDenied },
  forbidden: { status: 403, rpc: Code.PermissionDenied },
  recent_sign_in_required: { status: 403, rpc: Code.PermissionDenied },
  organization_suspended: { status: 403, rpc: Code.PermissionDenied },
  not_found: { status: 404, rpc: Code.NotFound },
  method_not_allowed: { status: 405, rpc: Code.Unimplemented },
  request_timeout: { status: 408, rpc: Code.DeadlineExceeded },
  limit_reached: { status: 409, rpc: Code.ResourceExhausted },
  command_failed: { status: 409, rpc: Code.FailedPrecondition },
  last_owner: { status: 409, rpc: Code.FailedPrecondition },
  not_cancellable: { status: 409, rpc: Code.FailedPrecondition },
  destination_in_use: { status: 409, rpc: Code.FailedPrecondition },
  endpoint_disabled: { status: 409, rpc: Code.FailedPrecondition },
  idempotency_in_progress: { status: 409, rpc: Code.Aborted },
  cursor_expired: { status: 410, rpc: Code.FailedPrecondition },
  file_expired: { status: 410, rpc: Code.FailedPrecondition },
  content_too_large: { status: 413, rpc: Code.OutOfRange },
  unsupported_media_type: { status: 415, rpc: Code.InvalidArgument },
  invalid_content: { status: 422, rpc: Code.InvalidArgument },
  invalid_content_url: { status: 422, rpc: Code.InvalidArgument },
  printer_disabled: { status: 422, rpc: Code.FailedPrecondition },
  destination_disabled: { status: 422, rpc: Code.FailedPrecondition },
  invalid_url: { status: 422, rpc: Code.InvalidArgument },
  mode_mismatch: { status: 422, rpc: Code.FailedPrecondition },
  rate_limited: { status: 429, rpc: Code.ResourceExhausted },
  idempotency_key_reused: { status: 422, rpc: Code.FailedPrecondition },
  test_mode_daily_cap: { status: 429, rpc: Code.ResourceExhausted },
  internal_error: { status: 500, rpc: Code.Internal },
  service_unavailable: { status: 503, rpc: Code.Unavailable },
  storage_unavailable: { status: 503, rpc: Code.Unavailable },
} as const satisfies Record<string, { status: number; rpc: Code }>

export type ErrorCode = keyof typeof ERRORS

export const getStatus = (code: ErrorCode): number => ERRORS[code].status

interface ErrorFacts {
  retryAfterSeconds?: number | undefined
  param?: string | undefined
}

/**
 * An error that is sent to the caller. The message is written for people and contains the remedy. The cause is logged
 * and never sent.
 */
export class ApiError extends Error {
  readonly code: ErrorCode
  /** Delay before a retry, in whole seconds. Sent as the header `Retry-After`. */
  readonly retryAfterSeconds: number | undefined
  /** The field (`customPapers[0].name`), query parameter or header that is the cause. */
  readonly param: string | undefined

  constructor(code: ErrorCode, message: string, options: ErrorOptions & ErrorFacts = {}) {
    const { retryAfterSeconds, param, ...errorOptions } = options
    super(message, errorOptions)
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
    this.param = param
  }

  get status(): number {
    return getStatus(this.code)
  }
}

const CODE_HEADER = 'platen-error-code'
const RETRY_AFTER_HEADER = 'platen-retry-after-seconds'
/** Its value is in percent encoding. */
const PARAM_HEADER = 'platen-error-param'

/** Encodes an error for a call between services. */
export function toConnectError(error: ApiError): ConnectError {
  const headers = new Headers({ [CODE_HEADER]: error.code })
  if (error.retryAfterSeconds !== undefined) headers.set(RETRY_AFTER_HEADER, String(error.retryAfterSeconds))
  if (error.param !== undefined) headers.set(PARAM_HEADER, encodeURIComponent(error.param))
  return new ConnectError(error.message, ERRORS[error.code].rpc, headers, undefined, error.cause)
}

/**
 * Failures of the other service or of the network. `Canceled` is included because no caller cancels a call whose result
 * it awaits.
 */
const UNREACHABLE = [Code.Unavailable, Code.DeadlineExceeded, Code.Canceled]

/**
 * Decodes the error of a call between services.
 *
 * @returns the `ApiError` that the other service threw, or `service_unavailable` if the service was not reached in
 *   time. Any other error is a defect and is returned unchanged.
 */
export function fromConnectError(error: unknown): unknown {
  if (!(error instanceof ConnectError)) return error
  const code = error.metadata.get(CODE_HEADER)
  if (code !== null && Object.hasOwn(ERRORS, code)) {
    const retryAfter = error.metadata.get(RETRY_AFTER_HEADER)
    const retryAfterSeconds = retryAfter === null ? undefined : Number(retryAfter)
    const param = error.metadata.get(PARAM_HEADER)
    return new ApiError(code as ErrorCode, error.rawMessage, {
      retryAfterSeconds,
      param: param === null ? undefined : decodeURIComponent(param),
    })
  }
  if (UNREACHABLE.includes(error.code))
    return new ApiError('service_unavailable', 'A part of the service is not answering. Try again in a moment.', {
      cause: error,
    })
  return error
}
