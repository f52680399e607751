/** What webhooks make of a history that is right: all its events in the feed, and delivered to endpoints of both organizations. */
import { isResend } from '../checker/facts.ts'
import type { DeliveryRow, EndpointFacts, FeedRow, History } from '../history.ts'
import { at } from './histories.ts'

const ALL = ['queued', 'sent', 'received', 'printing', 'done', 'error', 'expired', 'cancelled'].map(
  (s) => `printjob.${s}`,
)
export const GAPS_MS = [1_000, 2_000]

const ENDPOINTS: EndpointFacts[] = [
  { id: 'all of A', organizationId: 'A', mode: 'test', events: ALL },
  { id: 'little of A', organizationId: 'A', mode: 'test', events: ['printjob.done'] },
  { id: 'live of A', organizationId: 'A', mode: 'live', events: ALL },
  { id: 'all of B', organizationId: 'B', mode: 'live', events: ALL },
]

/**
 * Each is delivered 50 ms after it happened, at the first attempt; `late/5` to "all of A" at the third, and `done/5` to "little of A" twice,
 * since the worker was killed before it recorded the first.
 */
export function tellWebhooks(history: History): History {
  const { database } = history
  history.settings.webhookGapsMs = [...GAPS_MS]
  history.endpoints = ENDPOINTS.map((endpoint) => ({ ...endpoint, events: [...endpoint.events] }))
  database.feed = feedOf(history)
  for (const endpoint of history.endpoints)
    for (const event of database.feed)
      if (event.organizationId === endpoint.organizationId && event.mode === endpoint.mode)
        if (endpoint.events.includes(event.type)) deliver(history, endpoint, event)
  return history
}

/** In a history in which an event has two owners, of the last. */
function feedOf({ database: { jobs, events } }: History): FeedRow[] {
  const feed = jobs.flatMap((job) => {
    const own = events.filter(({ jobId }) => jobId === job.id).toSorted((a, b) => a.sequence - b.sequence)
    const told = own.filter((_, index) => !isResend(own, index))
    return told.map(
      ({ id, state, sequence, createdAtMs }): FeedRow => ({
        id,
        organizationId: job.organizationId,
        mode: job.mode,
        type: `printjob.${state}`,
        resourceId: job.id,
        sequence,
        bodySha256: `sha256 of ${id}`,
        occurredAtMs: createdAtMs,
      }),
    )
  })
  return [...new Map(feed.map((event) => [event.id, event])).values()]
}

function deliver(history: History, { id: endpointId }: EndpointFacts, event: FeedRow): void {
  const { database, receivedWebhooks } = history
  const key = `${event.id} to ${endpointId}`
  const startMs = event.occurredAtMs + 50
  const answers = key === 'late/5 to all of A' ? [503, null, 200] : [204]
  let nextMs = startMs
  answers.forEach((status, n) => {
    const atMs = nextMs
    const errorClass = status === null ? 'connect' : status >= 300 ? 'status' : null
    receivedWebhooks.push(received(endpointId, event, atMs + 2, status))
    database.attempts.push({ deliveryId: key, number: n + 1, atMs, durationMs: 5, statusCode: status, errorClass })
    nextMs = atMs + 5 + (GAPS_MS[n] ?? 0)
  })
  const last = database.attempts.at(-1)
  const deliveredAtMs = (last?.atMs ?? 0) + (last?.durationMs ?? 0)
  if (key === 'done/5 to little of A') receivedWebhooks.push(received(endpointId, event, startMs - 40, 204))
  const delivery: DeliveryRow = {
    id: key,
    endpointId,
    eventId: event.id,
    status: 'succeeded',
    nextAttemptAtMs: null,
    deliveredAtMs,
  }
  database.deliveries.push(delivery)
}

export function received(endpoint: string, event: FeedRow, atMs: number, status: number | null) {
  const { id: webhookId, bodySha256 } = event
  return { endpoint, webhookId, isSigned: true, eventId: webhookId, bodySha256, atMs, status }
}

/** When all has been over for a while. */
export const LONG_AFTER_MS = at(150)
