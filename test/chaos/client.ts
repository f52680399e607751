/** A client of the API that records each request, with or without an answer. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientCall } from '../checker/history.ts'
import { holds, type Secret } from '../checker/secrets.ts'
import type { Tenant } from './tenants.ts'

/** A longer wait would outlast most faults. */
const REQUEST_TIMEOUT_MS = 10_000
/** A gateway that is down refuses at once. */
const PAUSE_AFTER_NO_ANSWER_MS = 200

/** What an answer of any route may contain. */
interface Json {
  id?: string
  jobId?: string
  printerId?: string
  computerId?: string
  state?: string
  name?: string
  /** A list, or the resource of an event. */
  data?: Json[] | Json
  nextCursor?: string | null
  /** A batch has them. */
  jobs?: Json[]
}

export interface Recorder {
  calls: ClientCall[]
  leaks: Set<string>
  /** Secrets of other organizations. */
  foreignSecrets: (organizationId: string) => Secret[]
}

/** @param tenants whose secrets no other organization may read. */
export const createRecorder = (tenants: Pick<Tenant, 'organizationId' | 'secrets'>[] = []): Recorder => ({
  calls: [],
  leaks: new Set(),
  foreignSecrets: (own) => tenants.filter((one) => one.organizationId !== own).flatMap(({ secrets }) => secrets),
})

export interface Request {
  baseUrl: string
  path: string
  body?: string
  /** Further ones, or instead of those of every request. */
  headers?: Record<string, string>
  call: Omit<ClientCall, 'startedAtMs' | 'organizationId' | 'namedIds'>
}

/** Sends the request once. @returns the recorded call, and the answer if one arrived. */
export async function request(
  recorder: Recorder,
  { organizationId, key }: Pick<Tenant, 'organizationId' | 'key'>,
  { baseUrl, path, body, headers: own, call }: Request,
): Promise<{ call: ClientCall; json?: Json }> {
  const recorded: ClientCall = { ...call, organizationId, startedAtMs: Date.now(), namedIds: [] }
  recorder.calls.push(recorded)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await send(baseUrl + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, ...(call.key !== undefined && { 'idempotency-key': call.key }), ...own },
    body,
  })
  if (!answer) {
    await sleep(PAUSE_AFTER_NO_ANSWER_MS)
    return { call: recorded }
  }
  recorded.endedAtMs = Date.now()
  recorded.status = answer.status
  if (answer.headers.get('idempotent-replayed') === 'true') recorded.isReplay = true
  for (const secret of recorder.foreignSecrets(organizationId))
    if (holds(Buffer.from(answer.text), secret)) recorder.leaks.add(`answer to ${organizationId}: ${secret.name}`)
  if (!answer.headers.get('content-type')?.includes('json')) return { call: recorded }
  const json: Json = JSON.parse(answer.text)
  recorded.namedIds = getIds(json)
  if (call.kind === 'create' && answer.status === 201) recorded.jobId = json.id
  if (json.state !== undefined) recorded.state = json.state
  return { call: recorded, json }
}

/** @returns undefined without a whole answer in time. */
async function send(url: string, init: RequestInit) {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (error) {
    // A failed connection is a TypeError, the timeout a DOMException.
    if (error instanceof TypeError || error instanceof DOMException) return undefined
    throw error
  }
}

function getIds({ id, jobId, printerId, computerId, data = [], jobs = [] }: Json): string[] {
  const own = [id, jobId, printerId, computerId].filter((one) => one !== undefined)
  return [...own, ...[data, jobs].flat().flatMap(getIds)]
}
