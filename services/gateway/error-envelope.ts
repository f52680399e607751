import type { ErrorCode } from '@platen/runtime/errors.ts'

/**
 * The body of every error response. Reference: docs/reference/errors.md#envelope.
 *
 * @param upgradeUrl of a billing page. Only for `quota_exceeded`.
 */
export function errorEnvelope(code: ErrorCode, message: string, requestId: string, upgradeUrl?: string) {
  return { error: { code, message, request_id: requestId, ...(upgradeUrl ? { upgrade_url: upgradeUrl } : {}) } }
}
