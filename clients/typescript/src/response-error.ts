import * as errors from './errors.ts'

/** @param body the text of the response, which need not be that of Platen. */
export function toApiError({ status, headers }: Response, body: string): errors.ApiError {
  const { code, message, request_id, upgrade_url, param, doc_url } = parseEnvelope(body)
  const isEnvelope = typeof code === 'string' && typeof message === 'string'
  const Class = isEnvelope ? getClass(code) : errors.ApiError
  return new Class({
    status,
    code: isEnvelope ? code : 'unexpected_response',
    message: isEnvelope
      ? message
      : `A response with the status ${status} that is not one of Platen. Check the address of the REST API.`,
    requestId: typeof request_id === 'string' ? request_id : (headers.get('x-request-id') ?? undefined),
    upgradeUrl: toText(upgrade_url),
    param: toText(param),
    docUrl: toText(doc_url),
    retryAfterSeconds: parseRetryAfter(headers.get('retry-after')),
  })
}

const toText = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** @returns `NotFound` for `not_found`, `ApiError` for an unknown code. */
function getClass(code: string): typeof errors.ApiError {
  const name = code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
  const found = (errors as Record<string, unknown>)[name] as typeof errors.ApiError | undefined
  return found?.prototype instanceof errors.ApiError ? found : errors.ApiError
}

function parseEnvelope(body: string): Record<string, unknown> {
  try {
    return JSON.parse(body)?.error ?? {}
  } catch {
    return {} // The response of a proxy.
  }
}

/** @param value seconds or a date. Source: RFC 9110, section 10.2.3. */
function parseRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined
  if (/^\d+$/.test(value)) return Number(value)
  const dateMs = Date.parse(value)
  return Number.isNaN(dateMs) ? undefined : Math.max(0, Math.ceil((dateMs - Date.now()) / 1000))
}
