/** One client of the API, as the load uses it: each request is recorded, whatever comes of it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientCall } from './history.ts'
import { holds, type Secret } from './secrets.ts'
import type { Tenant } from './system/chaos-system.ts'

/** A client that waits longer would wait out most faults. */
const REQUEST_TIMEOUT_MS = 10_000
/** Who is refused by a dead gateway would else ask thousands of times. */
const PAUSE_AFTER_NO_ANSWER_MS = 200

/** What an answer of any route may hold; all that the load reads of it. */
interface Json {
  id?: string
  jobId?: string
  printerId?: string
  computerId?: string
  state?: string
  name?: string
  data?: Json[]
}

export interface Recorder {
  calls: ClientCall[]
  /** What answers held of another organization, in words. */
  leaks: Set<string>
  /** Of other organizations, and by their ids. */
  foreignSecrets: (organizationId: string) => readonly Secret[]
}

export interface ClientRequest {
  baseUrl: string
  path: string
  body?: string
  call: Omit<ClientCall, 'startedAtMs' | 'organizationId' | 'namedIds'>
}

/**
 * Sends it once: whether a request without an answer had its effect is for the checker to find out, unless it has an `Idempotency-Key`.
 *
 * @returns the recorded call and the answer's JSON, if there was an answer.
 */
export async function request(
  recorder: Recorder,
  { organizationId, key }: Tenant,
  { baseUrl, path, body, call }: ClientRequest,
): Promise<{ call: ClientCall; json?: Json }> {
  const recorded: ClientCall = { ...call, organizationId, startedAtMs: Date.now(), namedIds: [] }
  recorder.calls.push(recorded)
  const idempotencyKey: Record<string, string> = call.key === undefined ? {} : { 'idempotency-key': call.key }
  const answer = await send(baseUrl + path, { authorization: `Bearer ${key}`, ...idempotencyKey }, body)
  if (answer === undefined) {
    await sleep(PAUSE_AFTER_NO_ANSWER_MS)
    return { call: recorded }
  }
  recorded.endedAtMs = Date.now()
  recorded.status = answer.status
  if (answer.headers.get('idempotent-replayed') === 'true') recorded.isReplay = true
  for (const secret of recorder.foreignSecrets(organizationId)) {
    if (holds(Buffer.from(answer.text), secret))
      recorder.leaks.add(`answer to ${organizationId}: ${secret.kind} of ${secret.organizationId}`)
  }
  const json = readJson(answer.text)
  if (json === undefined) return { call: recorded }
  recorded.namedIds = [...namedIds(json)]
  if (call.kind === 'create' && json.id !== undefined && answer.status === 201) recorded.jobId = json.id
  if (json.state !== undefined) recorded.state = json.state
  return { call: recorded, json }
}

/** @returns nothing when there was no whole answer in time. */
async function send(
  url: string,
  headers: Record<string, string>,
  body?: string,
): Promise<{ status: number; headers: Headers; text: string } | undefined> {
  try {
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (error) {
    // fetch tells of a connection that failed with a TypeError, of the timeout with a DOMException.
    if (error instanceof TypeError || error instanceof DOMException) return undefined
    throw error
  }
}

/** A proxy or a gateway on its way down may answer with something else. */
function readJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function namedIds(json: Json): Set<string> {
  const own = [json.id, json.jobId, json.printerId, json.computerId].filter((id) => id !== undefined)
  return new Set([...own, ...(json.data ?? []).flatMap((one) => [...namedIds(one)])])
}
