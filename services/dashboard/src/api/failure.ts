/** A request that did not succeed, as `ErrorPanel` shows it. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  /** The status of the response; 0 if there was none. */
  readonly status: number
  /** The code of the API, or `unreachable`. */
  readonly code: string
  readonly requestId: string | undefined

  constructor(status: number, code: string, message: string, requestId?: string) {
    super(message)
    this.status = status
    this.code = code
    this.requestId = requestId
  }
}

export function toFailure(response: Response, body: unknown): ApiFailure {
  const { error } = (body ?? {}) as { error?: { code?: string; message?: string; request_id?: string } }
  return new ApiFailure(
    response.status,
    error?.code ?? `http_${response.status}`,
    error?.message ?? `The service answered with ${response.status} ${response.statusText}.`,
    error?.request_id ?? response.headers.get('x-request-id') ?? undefined,
  )
}

export function toUnreachable(): ApiFailure {
  return new ApiFailure(0, 'unreachable', 'The service cannot be reached. Check the network connection.')
}
