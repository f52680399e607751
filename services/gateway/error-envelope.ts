import { type ApiError, getStatus } from '@platen/runtime/errors.ts'

interface EnvelopeFacts {
  requestId: string
  /** `PLATEN_PUBLIC_URL`. The `Host` of a request is not used, so that no response repeats it. */
  publicUrl: string | undefined
  /** The address of a billing page, for `quota_exceeded`. */
  upgradeUrl?: string | undefined
}

/** The body of every error response. Reference: docs/reference/errors.md#envelope. */
export function errorEnvelope(
  { code, message, param }: Pick<ApiError, 'code' | 'message' | 'param'>,
  { requestId, publicUrl, upgradeUrl }: EnvelopeFacts,
) {
  const docs = `/docs/reference/errors#error.${getStatus(code)}.${code}`
  return {
    error: {
      code,
      message,
      ...(param !== undefined && { param }),
      doc_url: publicUrl === undefined ? docs : new URL(docs, publicUrl).href,
      request_id: requestId,
      ...(upgradeUrl && code === 'quota_exceeded' && { upgrade_url: upgradeUrl }),
    },
  }
}
