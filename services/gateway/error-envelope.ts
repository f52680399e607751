import type { ErrorCode } from '@platen/runtime/errors.ts'

/** The body of every error answer. Source: specification, "Error envelope". */
export function errorEnvelope(code: ErrorCode, message: string, requestId: string) {
  return { error: { code, message, request_id: requestId } }
}
