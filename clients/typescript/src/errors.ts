/** The errors of this library. All extend `PlatenError`. Reference: docs/reference/errors.md */

/** Any failure that this library detects. The cause, if there is one, is in `cause`. */
export class PlatenError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}

/**
 * The request got no complete answer: the server is unreachable, or the connection ended early. The operation may have
 * had its effect.
 */
export class ConnectionError extends PlatenError {}

/** The time limit of a request or of `wait` was reached. The operation may have had its effect. */
export class TimeoutError extends PlatenError {}

/** A webhook is not authentic, or too old. Do not process it. */
export class WebhookVerificationError extends PlatenError {}

/** No printer, or more than one, has this name. The message lists the printers. */
export class PrinterNotFound extends PlatenError {}

export interface ApiErrorFields {
  status: number
  code: string
  message: string
  requestId: string | undefined
  upgradeUrl: string | undefined
  param: string | undefined
  docUrl: string | undefined
  retryAfterSeconds: number | undefined
}

/**
 * An error response of the API. Test `code`, or the class with `instanceof`; the message is for people and can change.
 */
export class ApiError extends PlatenError {
  readonly status: number
  /** Stable. `unexpected_response` if the response is not one of Platen, for example that of a proxy. */
  readonly code: string
  /** Identifies the request in the logs of the service. */
  readonly requestId: string | undefined
  /** The address of a larger plan, of `quota_exceeded`. */
  readonly upgradeUrl: string | undefined
  /** The field, query parameter or header that is the cause. */
  readonly param: string | undefined
  /** The address of the code in the documentation. */
  readonly docUrl: string | undefined
  /** The time to wait before the request can succeed. */
  readonly retryAfterSeconds: number | undefined

  constructor({ message, ...fields }: ApiErrorFields) {
    super(message)
    this.status = fields.status
    this.code = fields.code
    this.requestId = fields.requestId
    this.upgradeUrl = fields.upgradeUrl
    this.param = fields.param
    this.docUrl = fields.docUrl
    this.retryAfterSeconds = fields.retryAfterSeconds
  }
}

// One class for each code, named after it. A code without a class is an `ApiError`.
export class InvalidRequest extends ApiError {}
export class Unauthorized extends ApiError {}
export class QuotaExceeded extends ApiError {}
export class InsufficientScope extends ApiError {}
export class Forbidden extends ApiError {}
export class OrganizationSuspended extends ApiError {}
export class NotFound extends ApiError {}
export class MethodNotAllowed extends ApiError {}
export class RequestTimeout extends ApiError {}
export class LimitReached extends ApiError {}
export class NotCancellable extends ApiError {}
export class DestinationInUse extends ApiError {}
export class EndpointDisabled extends ApiError {}
export class IdempotencyInProgress extends ApiError {}
export class CursorExpired extends ApiError {}
export class FileExpired extends ApiError {}
export class ContentTooLarge extends ApiError {}
export class UnsupportedMediaType extends ApiError {}
export class InvalidContent extends ApiError {}
export class InvalidContentUrl extends ApiError {}
export class PrinterDisabled extends ApiError {}
export class DestinationDisabled extends ApiError {}
export class InvalidUrl extends ApiError {}
export class ModeMismatch extends ApiError {}
export class IdempotencyKeyReused extends ApiError {}
export class RateLimited extends ApiError {}
export class TestModeDailyCap extends ApiError {}
export class InternalError extends ApiError {}
export class ServiceUnavailable extends ApiError {}
export class StorageUnavailable extends ApiError {}
