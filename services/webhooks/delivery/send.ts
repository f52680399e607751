/** One attempt: the signed request, and what came of it. An endpoint that fails is an outcome here, not an error. */
import { FetchFailure, type FetchFault } from '@platen/runtime/fetch/failure.ts'
import type { KeepAlive } from '@platen/runtime/fetch/keep-alive.ts'
import type { PublicNetwork } from '@platen/runtime/fetch/public-network.ts'
import { isSecureEnough } from '../check-url.ts'
import webhooksPackage from '../package.json' with { type: 'json' }
import { readAnswer } from './answer-text.ts'
import { readRetryAfter } from './schedule.ts'
import { signatures } from './sign.ts'

const USER_AGENT = `Platen-Webhooks/${webhooksPackage.version}`
const GONE = 410

/** Reference: docs/reference/webhooks.md#attempts. */
export type ErrorClass = 'timeout' | 'dns' | 'connect' | 'tls' | 'blocked_address' | 'redirect' | 'status'

const ERROR_CLASSES: Record<FetchFault, ErrorClass> = {
  timeout: 'timeout',
  dns: 'dns',
  blocked_address: 'blocked_address',
  connect: 'connect',
  tls: 'tls',
  redirect: 'redirect',
  status: 'status',
  // No answer that could be understood: as if nobody had been there.
  response: 'connect',
  encoding: 'connect',
  too_large: 'connect',
}

export interface Target {
  mode: string
  url: string
  /** Those that have not expired, the present one first. */
  secrets: string[]
}

export interface Message {
  eventId: string
  body: string
}

export interface Outcome {
  at: Date
  endedAt: Date
  durationMs: number
  statusCode: number | null
  /** Null when it succeeded. */
  errorClass: ErrorClass | null
  response: string | null
  retryAfterMs: number | undefined
  isGone: boolean
}

export interface Sending {
  keepAlive: KeepAlive
  network: PublicNetwork
  now(): Date
  timeoutMs: number
  /** Ends an attempt without an outcome. */
  signal: AbortSignal
}

/** @throws the signal's reason. */
export async function send({ keepAlive, network, now, timeoutMs, signal }: Sending, target: Target, message: Message) {
  const at = now()
  const startedAt = performance.now()
  const outcome = (found: Partial<Outcome>): Outcome => ({
    at,
    endedAt: now(),
    durationMs: Math.round(performance.now() - startedAt),
    statusCode: null,
    errorClass: null,
    response: null,
    retryAfterMs: undefined,
    isGone: false,
    ...found,
  })

  const url = urlOf(network, target)
  if (!url) return outcome({ errorClass: 'blocked_address' })
  const { eventId, body } = message
  const timestamp = Math.floor(at.getTime() / 1000)
  const headers = {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'accept-encoding': 'identity',
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures({ id: eventId, timestamp, body }, target.secrets),
  }
  let statusCode: number | null = null
  try {
    const asked = { url, method: 'POST', headers, body: Buffer.from(body), deadlineMs: timeoutMs, signal } as const
    return await keepAlive.request(asked, async (answer) => {
      statusCode = answer.status
      return outcome({
        statusCode,
        response: await readAnswer(answer),
        errorClass: errorClassOf(answer.status),
        retryAfterMs: readRetryAfter(answer.headers['retry-after'], now()),
        isGone: answer.status === GONE,
      })
    })
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    return outcome({ statusCode, errorClass: ERROR_CLASSES[error.fault] })
  }
}

/** What was checked when the endpoint was made is checked again: nothing goes out by another rule. */
function urlOf(network: PublicNetwork, { url, mode }: Target): URL | undefined {
  const read = network.readUrl(url)
  if (!('url' in read)) return undefined
  return isSecureEnough(mode, read.url) ? read.url : undefined
}

function errorClassOf(status: number): ErrorClass | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'redirect' : 'status'
}
