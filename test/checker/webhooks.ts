/** Invariants of webhooks: received requests, and the deliveries of each event to each endpoint. */
import type { Facts, Problems } from './facts.ts'
import {
  type AttemptRow,
  type DeliveryRow,
  type EndpointFacts,
  type EventRow,
  type History,
  type InjectedFault,
  type ReceivedWebhook,
  STALL,
} from './history.ts'

export function* checkWebhooks({ history }: Facts): Problems {
  const endpoints = new Map(history.endpoints.map((endpoint) => [endpoint.id, endpoint]))
  const events = new Map(history.database.feed.map((event) => [event.id, event]))
  for (const received of history.receivedWebhooks ?? []) {
    const wrong = receivedProblem(received, endpoints.get(received.endpoint), events.get(received.webhookId))
    if (wrong) yield [received.webhookId, `A webhook at ${received.endpoint} ${wrong}.`]
  }
}

function receivedProblem(received: ReceivedWebhook, endpoint?: EndpointFacts, event?: EventRow): string | undefined {
  if (!endpoint) return 'belongs to no endpoint'
  if (!received.isSigned) return 'is not signed with the secret of the endpoint'
  if (received.eventId !== received.webhookId) return `contains the event ${received.eventId}`
  if (!event) return 'is not in the feed'
  if (received.bodySha256 !== event.bodySha256) return 'has other bytes than the feed'
  if (event.organizationId !== endpoint.organizationId) return 'belongs to another organization'
  if (event.mode !== endpoint.mode) return `belongs to ${event.mode} mode`
  return endpoint.events.includes(event.type) ? undefined : `is a "${event.type}" without a subscription`
}

/** Each gap of the schedule is drawn from a tenth around it. */
const EARLIEST = 0.9
const TOO_MANY_REQUESTS = 429
/** Two clocks of one machine, and times rounded to milliseconds. */
const ROUNDING_MS = 5
/** An interrupted attempt is made again within this time: the lease of its message is 6 s. */
const AFTERMATH_MS = 7_000
/** A finished attempt is recorded within this time. */
const RECORD_MAX_MS = 500

const isSuccess = (status: number | null) => status !== null && status >= 200 && status < 300
const toKey = (endpointId: string, eventId: string) => `${endpointId} ${eventId}`

export function* checkDeliveries({ history }: Facts): Problems {
  const { database, endpoints, receivedWebhooks, collectedAtMs } = history
  const known = new Set(endpoints.map(({ id }) => id))
  const ours = database.deliveries.filter(({ endpointId }) => known.has(endpointId))
  const deliveries = Map.groupBy(ours, ({ endpointId, eventId }) => toKey(endpointId, eventId))
  const received = receivedWebhooks && Map.groupBy(receivedWebhooks, (one) => toKey(one.endpoint, one.webhookId))
  const attempts = Map.groupBy(database.attempts, ({ deliveryId }) => deliveryId)
  for (const endpoint of endpoints) {
    for (const { id, type } of database.feed.filter((event) => isSubscribed(endpoint, event))) {
      const key = toKey(endpoint.id, id)
      const count = deliveries.get(key)?.length ?? 0
      if (count !== 1) yield [id, `The event "${type}" has ${count} deliveries to ${endpoint.id}.`]
      else if (received && !received.has(key)) yield [id, `The event "${type}" did not arrive at ${endpoint.id}.`]
    }
  }
  for (const delivery of ours) {
    const made = attempts.get(delivery.id) ?? []
    const { id, status, nextAttemptAtMs } = delivery
    if (status === 'pending' && (nextAttemptAtMs ?? 0) <= collectedAtMs) yield [id, 'The delivery is overdue.']
    const arrived = received && (received.get(toKey(delivery.endpointId, delivery.eventId)) ?? [])
    for (const message of [
      ...scheduleProblems(made, history),
      ...successProblems(delivery, made, arrived, history.faults),
    ])
      yield [id, message]
  }
}

function isSubscribed(endpoint: EndpointFacts, event: EventRow): boolean {
  const { organizationId, mode, events, sinceMs = 0 } = endpoint
  const isOwn = event.organizationId === organizationId && event.mode === mode
  return isOwn && events.includes(event.type) && event.occurredAtMs >= sinceMs
}

function* scheduleProblems(attempts: AttemptRow[], { settings, faults }: History): Iterable<string> {
  const gapsMs = settings.webhookGapsMs
  if (attempts.some(({ number }, n) => number !== n + 1))
    yield `The attempts have the numbers ${attempts.map(({ number }) => number)}.`
  const inOrder = attempts.toSorted((a, b) => a.atMs - b.atMs)
  const mayBeDoubled = (attempt: AttemptRow) => mayHaveTwoWorkers(faults, attempt)
  let [steps, hasEarly] = [0, inOrder.some(mayBeDoubled)]
  for (const [n, attempt] of inOrder.entries()) {
    const before = inOrder[n - 1]
    if (before?.statusCode !== TOO_MANY_REQUESTS) steps++
    if (!before || mayBeDoubled(before) || mayBeDoubled(attempt)) continue
    const gapMs = attempt.atMs - (before.atMs + before.durationMs)
    const isAfter = (scheduledMs = 0) => gapMs >= scheduledMs * EARLIEST - ROUNDING_MS
    if (isSuccess(before.statusCode)) yield `Attempt ${n + 1} follows a success.`
    else if (!isAfter(gapsMs[0])) yield `Attempt ${n + 1} was made ${Math.round(gapMs)} ms after the one before.`
    // The endpoint answered again, or was asked whether it does.
    hasEarly ||= !isAfter(gapsMs[steps - 2])
  }
  if (steps > gapsMs.length + 1 && !hasEarly)
    yield `The delivery has ${steps} attempts, but ${gapsMs.length + 1} at most.`
}

function* successProblems(
  { status, deliveredAtMs }: DeliveryRow,
  attempts: AttemptRow[],
  arrived: ReceivedWebhook[] | undefined,
  faults: InjectedFault[],
): Iterable<string> {
  const hasSucceeded = attempts.some(({ statusCode }) => isSuccess(statusCode))
  if (status === 'succeeded') {
    if (!hasSucceeded || arrived?.some((one) => isSuccess(one.status)) === false)
      yield 'The delivery succeeded, but the receiver did not accept it.'
    const lastMs = (deliveredAtMs ?? 0) + ROUNDING_MS
    if (arrived?.some(({ atMs }) => atMs > lastMs && !mayHaveTwoWorkers(faults, { atMs, durationMs: 0 })))
      yield 'The delivery arrived again after its success was recorded.'
  } else if (hasSucceeded) yield `An attempt succeeded, but the delivery is ${status}.`
}

/**
 * An attempt that its worker cannot record or acknowledge is repeated by another worker, and both may run at once. A
 * fault of the service, the database or NATS around one of them explains it, and so does a stall of any process.
 */
function mayHaveTwoWorkers(
  faults: InjectedFault[],
  { atMs, durationMs }: { atMs: number; durationMs: number },
): boolean {
  const recordedMs = atMs + durationMs + RECORD_MAX_MS
  return faults.some(
    ({ kind, target, startedAtMs, endedAtMs }) =>
      (kind === STALL || /webhooks|platen|postgres|nats/.test(target)) &&
      startedAtMs <= recordedMs &&
      endedAtMs + AFTERMATH_MS >= atMs,
  )
}
