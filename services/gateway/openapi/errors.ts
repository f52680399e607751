/** Every error code as people are told of it. Source: specification, "Errors", and decisions. */
import type { ErrorCode } from '@platen/runtime/errors.ts'

interface Explanation {
  status: number
  /** When it is answered. */
  meaning: string
  /** The message of the example. */
  example: string
}

/** Each code that the services can answer has to be here, or this does not compile. */
export const ERRORS = {
  invalid_request: {
    status: 400,
    meaning:
      'The request cannot be understood: bad JSON, a missing or unknown field or parameter, a value out of range.',
    example: '`qty`: must be an integer from 1 to 100.',
  },
  unauthorized: {
    status: 401,
    meaning: 'There is no valid API key in the request.',
    example: 'Send a valid API key: `Authorization: Bearer <API_KEY>`, or HTTP Basic with the key as the user name.',
  },
  quota_exceeded: {
    status: 402,
    meaning: 'The plan has no more prints, or computers, in this period. `upgrade_url` leads to a larger one.',
    example: 'All prints of this period are used.',
  },
  insufficient_scope: {
    status: 403,
    meaning: 'The key lacks the scope that the operation needs.',
    example: 'This needs an API key with the scope `print`.',
  },
  forbidden: {
    status: 403,
    meaning: 'It is not allowed to this user, or to anybody.',
    example: 'The virtual test computer cannot be deleted.',
  },
  not_found: {
    status: 404,
    meaning: 'Nothing has this id, or it is of another organization or mode.',
    example: 'There is no printer with this id.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path does not take this method. `Allow` names those that it takes.',
    example: 'This path takes only HEAD, GET.',
  },
  request_timeout: {
    status: 408,
    meaning: 'The request takes too long to arrive.',
    example: 'The body took too long to arrive. Send it faster, or in one go.',
  },
  idempotency_in_progress: {
    status: 409,
    meaning: 'The first request with this `Idempotency-Key` is still being served. Try again in a moment.',
    example: 'A request with this `Idempotency-Key` is still being served.',
  },
  not_cancellable: {
    status: 409,
    meaning: 'The agent has received the job already, or the job is over.',
    example: 'The agent has received this job already; it cannot be cancelled.',
  },
  endpoint_disabled: {
    status: 409,
    meaning: 'The webhook endpoint is disabled.',
    example: 'This endpoint is disabled. Enable it first.',
  },
  limit_reached: {
    status: 409,
    meaning: 'There are as many of these as there may be.',
    example: 'There are 20 endpoints already. Delete one first.',
  },
  file_expired: {
    status: 410,
    meaning: 'The stored document of the earlier job is gone: it is kept for 7 days.',
    example: 'The document of this job is no longer stored. Send it again.',
  },
  content_too_large: {
    status: 413,
    meaning: 'The document is larger than 25 MB (26,214,400 bytes), or the body is larger than the operation takes.',
    example: 'The document is larger than 26214400 bytes.',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'The body is not sent as `application/json` in UTF-8, or it is compressed.',
    example: 'Send the body as `Content-Type: application/json`, in UTF-8.',
  },
  invalid_content: {
    status: 422,
    meaning: 'The document is not what `contentType` says: no strict base64, or no PDF.',
    example: 'The document does not begin with `%PDF-`.',
  },
  invalid_content_url: {
    status: 422,
    meaning:
      'The document may not be fetched from this URL: another scheme or port, too long, a private address, an unknown host.',
    example: 'The host of this URL has no public address.',
  },
  printer_disabled: {
    status: 422,
    meaning: 'The printer is disabled.',
    example: 'This printer is disabled. Enable it, or choose another one.',
  },
  mode_mismatch: {
    status: 422,
    meaning: 'A test key cannot do this in live mode, nor a live key in test mode.',
    example: 'This printer takes jobs from live keys only; this is a test key.',
  },
  idempotency_key_reused: {
    status: 422,
    meaning: 'This `Idempotency-Key` was sent before with another body.',
    example: 'This `Idempotency-Key` was sent before with another body.',
  },
  invalid_url: {
    status: 422,
    meaning: 'Webhooks may not be delivered to this URL.',
    example: 'The host of this URL has no public address.',
  },
  rate_limited: {
    status: 429,
    meaning: 'More than 20 requests in a second with one key. Wait for `Retry-After`.',
    example: 'More than 20 requests in a second. Try again in 1 s.',
  },
  test_mode_daily_cap: {
    status: 429,
    meaning: 'All test jobs of this UTC day, 500, are used. `Retry-After` reaches to the next one.',
    example: 'All 500 test jobs of today are used.',
  },
  internal_error: {
    status: 500,
    meaning: 'A defect on our side. Try again with backoff.',
    example: 'Something went wrong on our side. Try again in a moment.',
  },
  service_unavailable: {
    status: 503,
    meaning: 'A part of the service does not answer. Try again with backoff.',
    example: 'A part of the service is not answering. Try again in a moment.',
  },
  storage_unavailable: {
    status: 503,
    meaning: 'Documents cannot be stored now. Try again with backoff.',
    example: 'Documents cannot be stored at the moment. Try again.',
  },
} as const satisfies Record<ErrorCode, Explanation> & Record<string, Explanation>

export type DocumentedCode = keyof typeof ERRORS

/** By status, lowest first. */
export function byStatus(codes: readonly DocumentedCode[]): [status: number, codes: DocumentedCode[]][] {
  const groups = Map.groupBy(new Set(codes), (code) => ERRORS[code].status)
  return [...groups].toSorted(([a], [b]) => a - b)
}
