/** An integrator: follows the event feed and the list of jobs by cursors, and receives webhooks. */
import type { Api } from '../harness/api.ts'
import { waitFor } from '../harness/wait-for.ts'
import { isSignedBy, readReceiverTls, startWebhookReceiver } from '../harness/webhook-receiver.ts'
import { followList } from './follow-list.ts'

/** The types of the events of a printed job. */
export const PRINTED = ['queued', 'sent', 'received', 'printing', 'done'].map((state) => `printjob.${state}`)

interface Event {
  id: string
  type: string
  data: { id: string }
}

export type Integrator = Awaited<ReturnType<typeof startIntegrator>>

/** The form is "printjob.done 0198…". */
const toKey = ({ type, data }: Pick<Event, 'type' | 'data'>) => `${type} ${data.id}`

function requireEvents(name: string, events: Set<string>, ids: string[]): void {
  const missing = ids.flatMap((id) => PRINTED.map((type) => `${type} ${id}`)).filter((event) => !events.has(event))
  if (missing.length > 0) throw new Error(`${name} lacks ${missing.length} events, for example ${missing[0]}`)
}

export function startFollowers(api: Pick<Api, 'get'>) {
  /** The ids of the events by type and resource. */
  const events = new Map<string, Set<string>>()
  const repeated: string[] = []
  const jobs = new Set<string>()
  let lastEventAtMs: number | undefined
  let longestPauseMs = 0
  const lists = [
    followList<Event>(api.get, '/v1/events?dir=asc&wait=1&limit=100', (event) => {
      const ids = events.get(toKey(event)) ?? new Set()
      if (ids.has(event.id)) repeated.push(event.id)
      events.set(toKey(event), ids.add(event.id))
      longestPauseMs = Math.max(longestPauseMs, performance.now() - (lastEventAtMs ?? performance.now()))
      lastEventAtMs = performance.now()
    }),
    followList<Event>(api.get, '/v1/printjobs?dir=asc&limit=100', ({ id }) => jobs.add(id)),
  ]
  return {
    events,
    jobs,
    /** Events that the feed had twice. */
    repeated,
    /** The longest time between two events of the feed. */
    longestPauseMs: () => longestPauseMs,
    /** @throws Error unless the list had all jobs, and the feed all events of printed jobs. */
    checkPrinted(ids: string[]): void {
      const unlisted = ids.filter((id) => !jobs.has(id))
      if (unlisted.length > 0) throw new Error(`the list lacks ${unlisted.length} of ${ids.length} jobs`)
      requireEvents('the feed', new Set(events.keys()), ids)
    },
    async stop() {
      await Promise.all(lists.map((list) => list.stop()))
    },
  }
}

/** @param api with the scope `admin`. The services have `RECEIVER_ENVIRONMENT`. @param started ends it. */
export async function startIntegrator(
  api: Pick<Api, 'get' | 'post'>,
  started: AsyncDisposableStack,
  { keptMax }: { keptMax?: number } = {},
) {
  const options = { tls: readReceiverTls(), keptMax }
  const { received, ...receiver } = started.adopt(await startWebhookReceiver(options), (one) => one.stop())
  const { status, body: endpoint } = await api.post('/v1/webhooks', { url: receiver.url, events: PRINTED })
  if (status !== 201) throw new Error(`the endpoint was refused with ${status}`)
  const followers = started.adopt(startFollowers(api), (one) => one.stop())
  return {
    ...followers,
    /** Webhooks. */
    received,
    /** Waits until the jobs are listed, and the feed and signed webhooks have all their events. */
    async untilPrinted(ids: string[], limitMs: number): Promise<void> {
      await waitFor(() => followers.checkPrinted(ids), limitMs)
      await waitFor(() => {
        requireEvents('the receiver', new Set(received.map(({ body }) => toKey(JSON.parse(body)))), ids)
      }, limitMs)
      const unsigned = received.filter((delivered) => !isSignedBy(delivered, endpoint.secret)).length
      if (unsigned > 0) throw new Error(`${unsigned} webhooks are not signed`)
    },
  }
}
