/** Requests to the API. In a module of its own, because the sign-in page loads it without the application. */
import createClient, { type Client } from 'openapi-fetch'
import type { Call, Scope } from './client.ts'
import { toFailure, toUnreachable } from './failure.ts'
import type { paths } from './gen/schema.ts'
import { recordServerTime } from './server-time.ts'

/** The type that the dashboard reads, of answers in several. */
type Media = 'application/json' | 'application/octet-stream'

export type Api = Client<paths, Media>

export interface Answer<Data> {
  data?: Data
  error?: unknown
  response: Response
}

const UNSAFE = ['POST', 'PATCH']

/** Sends a request of a user who has not signed in. A 401 does not open the sign-in dialog. @throws ApiFailure */
export async function sendSignedOut<Data>(call: Call<Data>): Promise<Data> {
  const { data, error, response } = await call(createApi({}, (request) => transfer(request))).catch(() => {
    throw toUnreachable()
  })
  recordServerTime(response)
  if (!response.ok) throw toFailure(response, error)
  return data as Data
}

/** Sends a request, unless a script of the page has sent it already (`src/start/requests.ts`). */
export async function transfer(request: Request, signal?: AbortSignal): Promise<Response> {
  return (await takeFirst(request)) ?? (await fetch(request, signal ? { signal } : undefined))
}

async function takeFirst({ method, url, headers }: Request): Promise<Response | undefined> {
  const first = globalThis.firstRequests
  const path = url.slice(location.origin.length)
  const response = first?.responses.get(path)
  if (!first || !response || method !== 'GET') return undefined
  first.responses.delete(path)
  const isOfScope =
    headers.get('platen-mode') === first.mode && headers.get('platen-organization') === first.organizationId
  return isOfScope || !headers.has('platen-mode') ? await response : undefined
}

export function createApi({ mode, organizationId }: Scope, transport: (request: Request) => Promise<Response>): Api {
  return createClient<paths, Media>({
    baseUrl: location.origin,
    fetch(request) {
      // Required of sessions also without a body, because a form of another site cannot send it.
      if (UNSAFE.includes(request.method)) request.headers.set('Content-Type', 'application/json')
      return transport(request)
    },
    headers: {
      ...(mode && { 'Platen-Mode': mode }),
      ...(organizationId && { 'Platen-Organization': organizationId }),
    },
  })
}
