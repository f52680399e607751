/**
 * An integrator who creates jobs at a steady rate through the public port, repeats each creation until it is accepted,
 * and follows the feed; and computers that print. The feed is the source of facts.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { runSteadily } from '../bench/report.ts'
import type { LightAgent } from '../harness/light-agent.ts'
import { makePdf } from '../harness/pdf.ts'
import { waitFor } from '../harness/wait-for.ts'
import { keepConnected } from '../recovery/keep-connected.ts'

const JOBS_PER_SECOND = 50
const COMPUTERS = 10
/** More creations that wait for an answer would load the machine beyond what is tested. */
const UNANSWERED_MAX = 200
const REPEAT_MS = 5_000
const RETRY_MS = 200
/** Longer than the 60 s after which an unacknowledged job is sent again. */
const END_LIMIT_MS = 90_000
const SMALL = makePdf('Hello').toString('base64')
/** Goes through the document store. */
const LARGE = makePdf('Hello', 100_000).toString('base64')
const LARGE_EVERY = 10

/** A request without a success. */
export interface Failure {
  request: string
  startedAtMs: number
  endedAtMs: number
  /** Undefined if the connection failed. */
  status?: number
  /** It has the error envelope and `Retry-After`. */
  isRetryable: boolean
  what: string
}

export type Load = Awaited<ReturnType<typeof startLoad>>

/** @param keys of live mode with all scopes. They share the jobs, because a key can have few uploads at once. */
export async function startLoad(baseUrl: string, agentAddress: string, keys: string[]) {
  const stopping = new AbortController()
  const failures: Failure[] = []
  /** Ids of accepted jobs. */
  const accepted = new Set<string>()
  /** The number of events that each resource has, by type. */
  const events = new Map<string, Map<string, number>>()
  const eventIds = new Set<string>()
  let unanswered = 0
  let skipped = 0
  let requests = 0

  // biome-ignore lint/suspicious/noExplicitAny: any body of the API
  async function send(path: string, body?: object, headers: object = {}, key = keys[0]): Promise<any> {
    const startedAtMs = Date.now()
    requests++
    const failure = (what: string, status?: number, isRetryable = false) =>
      failures.push({ request: path, startedAtMs, endedAtMs: Date.now(), status, isRetryable, what })
    const method = body ? 'POST' : 'GET'
    const init = { method, headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers } }
    const answer = await fetch(baseUrl + path, { ...init, body: body && JSON.stringify(body) })
      .then(async (response) => ({ response, text: await response.text() }))
      .catch((error: Error) => error)
    if (answer instanceof Error) {
      failure(String((answer.cause as Error | undefined)?.message ?? answer.message))
      return sleep(RETRY_MS)
    }
    const { response, text } = answer
    if (response.ok) return JSON.parse(text)
    const retryAfter = response.headers.get('retry-after')
    failure(text.slice(0, 300), response.status, retryAfter !== null && text.startsWith('{"error":{"code":'))
    await sleep(retryAfter === null ? RETRY_MS : Number(retryAfter) * 1000)
  }

  async function untilSuccess(path: string, body?: object, headers?: object, key?: string) {
    for (;;) {
      const answer = await send(path, body, headers, key)
      if (answer || stopping.signal.aborted) return answer
    }
  }

  const agents = new Set<LightAgent>()
  const printers = await Promise.all(Array.from({ length: COMPUTERS }, addComputer))

  async function addComputer(_: unknown, nth: number): Promise<string> {
    const computer = { hostname: `till-${nth}`, os: 'linux', osVersion: '12', arch: 'x64', agentVersion: '0.1.0' }
    const { token } = await untilSuccess('/v1/enrollments', {})
    const enrolled = await untilSuccess('/v1/agents/enroll', computer, { authorization: `Bearer ${token}` })
    const agent = await keepConnected([agentAddress], enrolled.credential)
    agents.add(agent)
    void repeatReports(agent)
    return await waitFor(async () => {
      const { data } = await untilSuccess(`/v1/computers/${enrolled.computerId}/printers`)
      if (data.length === 0) throw new Error(`computer ${nth} has no printer`)
      return data[0].id
    })
  }

  async function repeatReports(agent: LightAgent): Promise<void> {
    while (!stopping.signal.aborted) {
      agent.repeat()
      await sleep(REPEAT_MS)
    }
  }

  async function createJob(n: number): Promise<void> {
    if (unanswered >= UNANSWERED_MAX) return void skipped++
    unanswered++
    const content = n % LARGE_EVERY === 0 ? LARGE : SMALL
    const key = keys[Math.floor(n / LARGE_EVERY) % keys.length]
    const printerId = printers[n % printers.length]
    const job = { printerId, title: `Job ${n}`, contentType: 'pdf_base64', content }
    const answer = await untilSuccess('/v1/printjobs', job, { 'idempotency-key': `job-${n}` }, key)
    if (answer) accepted.add(answer.id)
    unanswered--
  }

  async function follow(): Promise<void> {
    let after = ''
    while (!stopping.signal.aborted) {
      const answer = await send(`/v1/events?dir=asc&wait=1&limit=100${after}`)
      if (!answer) continue
      if (answer.nextCursor) after = `&after=${answer.nextCursor}`
      for (const { id, type, data } of answer.data) {
        if (eventIds.has(id)) throw new Error(`the feed has the event ${id} twice`)
        eventIds.add(id)
        const counts = events.get(type) ?? new Map<string, number>()
        events.set(type, counts.set(data.id, (counts.get(data.id) ?? 0) + 1))
      }
    }
  }

  const creating = new AbortController()
  const creations = runSteadily(JOBS_PER_SECOND, creating.signal, (_, n) => createJob(n))
  const following = follow()

  return {
    figures: () => ({ accepted: accepted.size, requests, skipped, events: eventIds.size, failures: failures.length }),
    countEvents: (type: string) => [...(events.get(type)?.values() ?? [])].reduce((sum, count) => sum + count, 0),
    /** @returns the failures of requests that ended during `work`. */
    async during(work: () => Promise<unknown>): Promise<Failure[]> {
      const before = failures.length
      await work()
      return failures.slice(before)
    },
    /** Ends the creations. @returns what is wrong when all accepted jobs should have ended. */
    async finish(): Promise<string[]> {
      creating.abort()
      await creations
      const findMissing = () => [...accepted].filter((id) => !events.get('printjob.done')?.has(id))
      await waitFor(() => {
        if (findMissing().length > 0) throw new Error('not all jobs are done')
      }, END_LIMIT_MS).catch(() => undefined)
      const unknown = [...(events.get('printjob.queued')?.keys() ?? [])].filter((id) => !accepted.has(id))
      const twice = ['printjob.printing', 'printjob.done'].flatMap((type) =>
        [...(events.get(type) ?? [])].filter(([, count]) => count > 1).map(([id]) => `${id} has ${type} twice`),
      )
      return [
        ...findMissing().map((id) => `${id} is accepted and not done`),
        ...unknown.map((id) => `${id} was created beside the accepted jobs`),
        ...twice,
      ]
    },
    async stop() {
      creating.abort()
      stopping.abort()
      for (const agent of agents) agent.close()
      await Promise.all([creations, following])
    },
  }
}
