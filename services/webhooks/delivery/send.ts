/** Makes one attempt. The failure of an endpoint is an outcome, not an error. */

import type { ERROR_CLASS } from '@platen/resources/webhook-delivery-schema.ts'
import { FetchFailure, type FetchFault } from '@platen/runtime/fetch/failure.ts'
import type { KeepAlive } from '@platen/runtime/fetch/keep-alive.ts'
import { isPublicAddress } from '@platen/runtime/fetch/public-address.ts'
import type { PublicNetwork } from '@platen/runtime/fetch/public-network.ts'
import { isSecureEnough } from '../check-url.ts'
import webhooksPackage from '../package.json' with { type: 'json' }
import { readResponse } from './response-text.ts'
import { parseRetryAfter } from './schedule.ts'
import { sign } from './sign.ts'

const USER_AGENT = `Platen-Webhooks/${webhooksPackage.version}`
const GONE = 410
const TOO_MANY_REQUESTS = 429
const UNAVAILABLE = 503

/** Reference: docs/reference/webhooks.md#attempts. */
export type ErrorClass = (typeof ERROR_CLASS.options)[number]

const ERROR_CLASSES: Record<FetchFault, ErrorClass> = {
  timeout: 'timeout',
  dns: 'dns',
  dns_failed: 'dns',
  blocked_address: 'blocked_address',
  connect: 'connect',
  tls: 'tls',
  redirect: 'redirect',
  status: 'status',
  // Without a valid response, as if the connection had failed.
  response: 'connect',
  encoding: 'connect',
  too_large: 'connect',
}

export interface Target {
  mode: string
  url: string
  /** The secrets that have not expired, the current one first. Empty if the current one cannot be decrypted. */
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
  /** Null after a success. */
  errorClass: ErrorClass | null
  response: string | null
  retryAfterMs: number | undefined
  /** The receiver asks for fewer requests. */
  isThrottled: boolean
  isGone: boolean
  /** The host has an address in an allowed network that is not public. */
  isInside: boolean
}

/** What the organization of the endpoint sees. */
export type ShownOutcome = Pick<Outcome, 'statusCode' | 'errorClass' | 'response'>

/** Hides from the organization what an allowed network contains: no text of it, and one class for all failures. */
export function hideInside({ statusCode, errorClass, response, isInside }: Outcome): ShownOutcome {
  if (!isInside) return { statusCode, errorClass, response }
  if (errorClass === null) return { statusCode, errorClass, response: null }
  return { statusCode: null, errorClass: 'connect', response: null }
}

export interface Sending {
  keepAlive: KeepAlive
  network: PublicNetwork
  now(): Date
  timeoutMs: number
  /** Aborts the attempt without an outcome. */
  signal: AbortSignal
}

/** @throws the signal's reason. */
export async function send({ keepAlive, network, now, timeoutMs, signal }: Sending, target: Target, message: Message) {
  const at = now()
  const startedAt = performance.now()
  let isInside = false
  const onAddresses = (addresses: string[]) => {
    isInside = !addresses.every(isPublicAddress)
  }
  const toOutcome = (result: Partial<Outcome>): Outcome => ({
    at,
    endedAt: now(),
    durationMs: Math.round(performance.now() - startedAt),
    statusCode: null,
    errorClass: null,
    response: null,
    retryAfterMs: undefined,
    isThrottled: false,
    isGone: false,
    isInside,
    ...result,
  })

  const url = parseUrl(network, target)
  if (!url) return toOutcome({ errorClass: 'blocked_address' })
  if (target.secrets.length === 0) return toOutcome({ errorClass: 'secret' })
  const { eventId, body } = message
  const timestamp = Math.floor(at.getTime() / 1000)
  const headers = {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'accept-encoding': 'identity',
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign({ id: eventId, timestamp, body }, target.secrets),
  }
  let statusCode: number | null = null
  try {
    const content = { headers, body: Buffer.from(body) }
    const request = { url, method: 'POST', ...content, deadlineMs: timeoutMs, signal, onAddresses } as const
    return await keepAlive.request(request, async (response) => {
      statusCode = response.status
      const retryAfterMs = parseRetryAfter(response.headers['retry-after'], now())
      return toOutcome({
        statusCode,
        response: await readResponse(response),
        errorClass: toErrorClass(response.status),
        retryAfterMs,
        isThrottled: isThrottled(response.status, retryAfterMs),
        isGone: response.status === GONE,
      })
    })
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    return toOutcome({ statusCode, errorClass: ERROR_CLASSES[error.fault] })
  }
}

/** Repeats the checks of the creation, because the rules or the settings may have changed. */
function parseUrl(network: PublicNetwork, { url, mode }: Target): URL | undefined {
  const read = network.readUrl(url)
  if (!('url' in read)) return undefined
  return isSecureEnough(mode, read.url) ? read.url : undefined
}

/** A 503 without `Retry-After` can be any failure. */
const isThrottled = (status: number, retryAfterMs: number | undefined) =>
  status === TOO_MANY_REQUESTS || (status === UNAVAILABLE && retryAfterMs !== undefined)

function toErrorClass(status: number): ErrorClass | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'redirect' : 'status'
}
