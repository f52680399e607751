import { Code, ConnectError } from '@connectrpc/connect'
import { expect, test } from 'vitest'
import { ApiError, type ErrorCode, fromConnectError, toConnectError } from '../../errors.ts'

/** Copied by hand from docs/reference/errors.md#codes. */
const STATUSES: Record<ErrorCode, number> = {
  invalid_request: 400,
  unauthorized: 401,
  sign_in_failed: 401,
  quota_exceeded: 402,
  insufficient_scope: 403,
  forbidden: 403,
  recent_sign_in_required: 403,
  organization_suspended: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  limit_reached: 409,
  last_owner: 409,
  command_failed: 409,
  not_cancellable: 409,
  destination_in_use: 409,
  endpoint_disabled: 409,
  idempotency_in_progress: 409,
  cursor_expired: 410,
  file_expired: 410,
  content_too_large: 413,
  unsupported_media_type: 415,
  invalid_content: 422,
  invalid_content_url: 422,
  printer_disabled: 422,
  destination_disabled: 422,
  invalid_url: 422,
  mode_mismatch: 422,
  idempotency_key_reused: 422,
  rate_limited: 429,
  test_mode_daily_cap: 429,
  internal_error: 500,
  service_unavailable: 503,
  storage_unavailable: 503,
}

test.each(Object.entries(STATUSES))(
  '%s has status %i and is the same error for the calling service',
  (code, status) => {
    const error = new ApiError(code as ErrorCode, 'why', { retryAfterSeconds: 3, cause: 'the cause' })
    expect(error).toMatchObject({ status, message: 'why', cause: 'the cause' })
    expect(fromConnectError(toConnectError(error))).toEqual(
      new ApiError(code as ErrorCode, 'why', { retryAfterSeconds: 3 }),
    )
    const plain = new ApiError(code as ErrorCode, 'why')
    expect(fromConnectError(toConnectError(plain))).toMatchObject({ code, retryAfterSeconds: undefined })
  },
)

test('an unknown error code of another release falls back to its gRPC status', () => {
  const headers = new Headers({ 'platen-error-code': 'new_code' })
  expect(fromConnectError(new ConnectError('gone', Code.Unavailable, headers))).toMatchObject({
    code: 'service_unavailable',
    message: 'A part of the service is not answering. Try again in a moment.',
  })
})

test('an error of another type is unchanged', () => {
  const error = new TypeError('a defect')
  expect(fromConnectError(error)).toBe(error)
})
