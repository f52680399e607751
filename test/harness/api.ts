/** A client of the public API: plain `fetch`, independent of the services. */
import { isFinalState } from '@platen/resources/job-states.ts'
import { checkDocumented } from './documented-answers.ts'
import { waitFor } from './wait-for.ts'

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests assert any part of a response
  body: any
}

/** A request and its response. Without a status the connection failed. */
export interface Exchange {
  method: string
  path: string
  headers: Record<string, string>
  requestBody?: string
  startedAtMs: number
  endedAtMs?: number
  answer?: Answer
}

export interface ApiOptions {
  /** False for servers that the OpenAPI document does not describe. */
  documented?: boolean
  /** Called with every request and response, including undocumented responses. */
  record?: (exchange: Exchange) => void
}

interface RequestOptions {
  body?: string
  headers?: Record<string, string>
}

export type Api = ReturnType<typeof createApi>

/** Checks each response against the OpenAPI document. */
export function createApi(baseUrl: string, key: string, { documented = true, record }: ApiOptions = {}) {
  async function request(method: string, path: string, init: RequestOptions = {}): Promise<Answer> {
    const headers = { authorization: `Bearer ${key}`, ...init.headers }
    const exchange: Exchange = { method, path, headers, requestBody: init.body, startedAtMs: Date.now() }
    try {
      const response = await fetch(baseUrl + path, { ...init, method, headers })
      const bytes = Buffer.from(await response.arrayBuffer())
      const body = parseBody(bytes, response.headers.get('content-type'))
      exchange.answer = { status: response.status, headers: response.headers, body }
      exchange.endedAtMs = Date.now()
    } finally {
      record?.(exchange)
    }
    const { status, headers: answered, body } = exchange.answer
    if (documented) checkDocumented({ method, target: path, status, header: (name) => answered.get(name), body })
    return exchange.answer
  }

  const withJson =
    (method: string) =>
    (path: string, body: unknown, headers: Record<string, string> = {}) =>
      request(method, path, {
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      })
  const get = (path: string, headers: Record<string, string> = {}) => request('GET', path, { headers })
  const post = withJson('POST')
  const getJob = async (id: string) => expectStatus(200, await get(`/v1/printjobs/${id}`))

  return {
    key,
    request,
    get,
    post,
    patch: withJson('PATCH'),
    delete: (path: string) => request('DELETE', path),
    getJob,
    async printer(name: string): Promise<{ id: string; computerId: string }> {
      const { data } = expectStatus(200, await get('/v1/printers?limit=100'))
      const found = data.find((printer: { name: string }) => printer.name === name)
      if (!found) throw new Error(`no printer has the name ${name}`)
      return found
    },
    /** Creates a job and requires status 201. */
    async createJob(job: Record<string, unknown>, headers?: Record<string, string>) {
      return expectStatus(201, await post('/v1/printjobs', job, headers))
    },
    async eventStates(id: string): Promise<string[]> {
      const { data } = expectStatus(200, await get(`/v1/printjobs/${id}/events`))
      return data.map(({ state }: { state: string }) => state)
    },
    /** Waits for a final state. @returns the job. */
    waitUntilFinal: (id: string, limitMs?: number) =>
      waitFor(async () => {
        const job = await getJob(id)
        if (!isFinalState(job.state)) throw new Error(`the job ${id} is ${job.state}: ${job.stateMessage}`)
        return job
      }, limitMs),
  }
}

/** @returns JSON parsed, a document as binary text. */
function parseBody(bytes: Buffer, contentType: string | null): Answer['body'] {
  if (contentType === 'application/octet-stream') return bytes.toString('latin1')
  return bytes.length === 0 ? null : JSON.parse(bytes.toString())
}

/** @throws Error with the answer, if it has another status. */
export function expectStatus(expected: number, { status, body }: Answer): Answer['body'] {
  if (status !== expected) throw new Error(`status ${status} instead of ${expected}: ${JSON.stringify(body)}`)
  return body
}

/** Status and error code, as tests compare them. */
export const readError = ({ status, body }: Answer) => [status, body?.error?.code]
