import type { ErrorDetail } from './gen/schema.ts'

interface FailureFacts {
  requestId?: string | undefined
  param?: string | undefined
  docUrl?: string | undefined
}

/** A request that did not succeed, as `ErrorPanel` shows it. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  /** The status of the response; 0 if there was none. */
  readonly status: number
  /** The code of the API, or `unreachable`. */
  readonly code: string
  readonly requestId: string | undefined
  /** The field that is the cause. */
  readonly param: string | undefined
  /** The description of the code in the documentation. */
  readonly docUrl: string | undefined

  constructor(status: number, code: string, message: string, { requestId, param, docUrl }: FailureFacts = {}) {
    super(message)
    this.status = status
    this.code = code
    this.requestId = requestId
    this.param = param
    this.docUrl = docUrl
  }
}

export function toFailure(response: Response, body: unknown): ApiFailure {
  const { error } = (body ?? {}) as { error?: Partial<ErrorDetail> }
  return new ApiFailure(
    response.status,
    error?.code ?? `http_${response.status}`,
    error?.message ?? `The service answered with ${response.status} ${response.statusText}.`,
    {
      requestId: error?.request_id ?? response.headers.get('x-request-id') ?? undefined,
      param: error?.param,
      docUrl: error?.doc_url,
    },
  )
}

export function toUnreachable(): ApiFailure {
  return new ApiFailure(0, 'unreachable', 'The service cannot be reached. Check the network connection.')
}
