/** Which codes stand under which status. Source: specification, "Errors", and decisions, "Conventions everywhere". */
export const CODES_BY_STATUS: Record<number, string[]> = {
  400: ['invalid_request'],
  401: ['unauthorized'],
  402: ['quota_exceeded'],
  403: ['insufficient_scope', 'forbidden'],
  404: ['not_found'],
  405: ['method_not_allowed'],
  // What cannot be read as a request at all (HTTP's own statuses; the specification has no code of their own for them).
  408: ['request_timeout'],
  409: ['idempotency_in_progress', 'not_cancellable', 'endpoint_disabled', 'limit_reached'],
  410: ['file_expired'],
  413: ['content_too_large'],
  415: ['unsupported_media_type'],
  422: [
    'invalid_content',
    'invalid_content_url',
    'printer_disabled',
    'mode_mismatch',
    'idempotency_key_reused',
    'invalid_url',
  ],
  429: ['rate_limited', 'test_mode_daily_cap'],
  431: ['invalid_request'],
}
