/**
 * Integrators that follow the event feed and the list of jobs by cursors, and receive webhooks. They continue after
 * every error.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from '../harness/api.ts'

export const PRINTED = ['queued', 'sent', 'received', 'printing', 'done'].map((state) => `printjob.${state}`)

const PAUSE_MS = 100

export interface Event {
  id: string
  type: string
  data: { id: string }
}

/** @throws Error unless the receiver has got all events of printed jobs. */
export function checkDelivered(received: { body: string }[], ids: string[]): void {
  requireEvents('the receiver', new Set(received.map(({ body }) => toKey(JSON.parse(body)))), ids)
}

/** The form is "printjob.done 0198…". */
const toKey = ({ type, data }: Pick<Event, 'type' | 'data'>) => `${type} ${data.id}`

function requireEvents(name: string, events: Set<string>, ids: string[]): void {
  const missing = ids.flatMap((id) => PRINTED.map((type) => `${type} ${id}`)).filter((event) => !events.has(event))
  if (missing.length > 0) throw new Error(`${name} lacks ${missing.length} events, for example ${missing[0]}`)
}

export function startFollowers(api: Pick<Api, 'get'>) {
  const events = new Set<string>()
  const jobs = new Set<string>()
  const stopping = new AbortController()
  async function follow(path: string, onRow: (row: Event & { id: string }) => void): Promise<void> {
    let after = ''
    while (!stopping.signal.aborted) {
      const answer = await api.get(`${path}${after}`).catch(() => undefined)
      if (answer?.status === 200) for (const row of answer.body.data) onRow(row)
      if (answer?.status === 200 && answer.body.nextCursor) after = `&after=${answer.body.nextCursor}`
      await sleep(PAUSE_MS)
    }
  }
  const ended = Promise.all([
    follow('/v1/events?dir=asc&wait=1&limit=100', (event) => events.add(toKey(event))),
    follow('/v1/printjobs?dir=asc&limit=100', ({ id }) => jobs.add(id)),
  ])
  return {
    /** @throws Error unless the list had all jobs, and the feed all events of printed jobs. */
    checkPrinted(ids: string[]): void {
      const unlisted = ids.filter((id) => !jobs.has(id))
      if (unlisted.length > 0) throw new Error(`the list lacks ${unlisted.length} of ${ids.length} jobs`)
      requireEvents('the feed', events, ids)
    },
    async stop() {
      stopping.abort()
      await ended
    },
  }
}
