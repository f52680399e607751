/**
 * The one way to the API. A call is a function that uses the typed client,
 * `(api) => api.POST('/v1/printjobs/{id}/cancel', …)`. `send` runs it against the network, `toCurl` against a printer,
 * so the shown command is the sent request.
 */
import { toFailure, toUnreachable } from './failure.ts'
import { reloadSession } from './query-client.ts'
import { recordServerTime } from './server-time.ts'
import type { Mode } from './session.ts'
import { signInGate } from './sign-in-gate.ts'
import { type Answer, type Api, createApi, transfer } from './transport.ts'

/** Undefined fields are those of requests of the user, which belong to no organization or mode. */
export interface Scope {
  mode?: Mode | undefined
  organizationId?: string | undefined
}

export type Call<Data> = (api: Api) => Promise<Answer<Data>>

/** Waits of a refused request without `Retry-After`. */
const RETRY_AFTER_SECONDS = 1

/**
 * Waits while requests are refused by the rate limit, and while the user signs in again, and then repeats the call.
 * Calls that change something are refused before they have an effect, so this is safe for them too.
 *
 * @throws ApiFailure
 */
export async function send<Data>(scope: Scope, call: Call<Data>, signal?: AbortSignal): Promise<Data> {
  const api = createApi(scope, (request) => transfer(request, signal))
  for (;;) {
    const { data, error, response } = await call(api).catch((failure: unknown) => {
      // `fetch` rejects with a TypeError without a response, and with the reason of an abort.
      throw failure instanceof TypeError ? toUnreachable() : failure
    })
    recordServerTime(response)
    if (response.ok) return data as Data
    const failure = toFailure(response, error)
    if (failure.code === 'rate_limited') await waitToRetry(response, signal)
    else if (failure.status === 401 && failure.code === 'unauthorized') await signInGate.wait('signed-out', signal)
    else if (failure.code === 'recent_sign_in_required') await signInGate.wait('recent', signal)
    else {
      if (failure.status === 403) void reloadSession()
      throw failure
    }
  }
}

/** @returns a command for a POSIX shell, with a key in place of the session. */
export async function toCurl(scope: Scope, call: Call<unknown>): Promise<string> {
  return await printCurl(await toRequest(scope, call))
}

/** @returns what the call would send. */
async function toRequest(scope: Scope, call: Call<unknown>): Promise<Request> {
  const captured = Promise.withResolvers<Request>()
  const api = createApi(scope, async (request) => {
    captured.resolve(request.clone())
    return new Response(null, { status: 204 })
  })
  await call(api)
  return await captured.promise
}

/** Headers that a key replaces. */
const SESSION_HEADERS = ['platen-mode', 'platen-organization']

async function printCurl(request: Request): Promise<string> {
  const headers = [...request.headers].filter(([name]) => !SESSION_HEADERS.includes(name))
  const body = await request.clone().text()
  return [
    `curl ${request.method === 'GET' ? '' : `-X ${request.method} `}${quote(request.url)}`,
    '-H "Authorization: Bearer $PLATEN_KEY"',
    ...headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === '' ? [] : [`--data-raw ${quote(body)}`]),
  ].join(' \\\n  ')
}

/** For a POSIX shell. */
export const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

async function waitToRetry(response: Response, signal: AbortSignal | undefined): Promise<void> {
  const seconds = Number(response.headers.get('retry-after')) || RETRY_AFTER_SECONDS
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, seconds * 1000)
  const onAbort = () => reject(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  await promise.finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  })
}
