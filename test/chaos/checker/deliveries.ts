/**
 * What became of each event on its way to each endpoint that has subscribed to it.
 *
 * - S11: it has one delivery, and came at least once; a success that is recorded is the last attempt, and one that the receiver has given;
 *   attempts keep the schedule's distances. That they come late is no breach: faults hold them up, and L3 sees that they come.
 * - L3: no delivery is still to be attempted when all is over.
 */
import type { AttemptRow, DeliveryRow, History, InjectedFault, ReceivedWebhook } from '../history.ts'
import type { Facts } from './facts.ts'
import { type Violation, violationOf } from './violation.ts'

const S11 = violationOf('S11')
const L3 = violationOf('L3')

/** Of the schedule's gaps: each is drawn from a tenth around it (decisions, "Webhooks and events"). */
const EARLIEST = 0.9
/** Two clocks of one machine, and times that were rounded to milliseconds. */
const ROUNDING_MS = 5

/** What was interrupted is taken up again within so long: an acknowledgement is waited for 6 s. */
const AFTERMATH_MS = 7_000

/** Of an attempt that ended: what a fault keeps from being written down. */
const RECORDED_WITHIN_MS = 500

const isSuccess = (status: number | null) => status !== null && status >= 200 && status < 300
const keyOf = (endpointId: string, eventId: string) => `${endpointId} ${eventId}`

export function checkDeliveries({ history }: Facts): Violation[] {
  const { database } = history
  const deliveries = Map.groupBy(database.deliveries, ({ endpointId, eventId }) => keyOf(endpointId, eventId))
  const received = Map.groupBy(history.receivedWebhooks, ({ endpoint, webhookId }) => keyOf(endpoint, webhookId))
  const attempts = Map.groupBy(database.attempts, ({ deliveryId }) => deliveryId)
  return [
    ...checkAllDelivered(history, deliveries, received),
    ...database.deliveries.flatMap((delivery) => {
      const made = attempts.get(delivery.id) ?? []
      const came = received.get(keyOf(delivery.endpointId, delivery.eventId)) ?? []
      return [
        ...checkSchedule(delivery, made, history),
        ...checkSuccess(delivery, made, came, history.faults),
        ...checkOver(delivery, history.collectedAtMs),
      ]
    }),
  ]
}

function checkAllDelivered(
  { endpoints, database }: History,
  deliveries: Map<string, DeliveryRow[]>,
  received: Map<string, ReceivedWebhook[]>,
): Violation[] {
  return endpoints.flatMap((endpoint) =>
    database.feed
      .filter(({ organizationId }) => organizationId === endpoint.organizationId)
      .filter(({ mode, type }) => mode === endpoint.mode && endpoint.events.includes(type))
      .flatMap(({ id, type }) => {
        const key = keyOf(endpoint.id, id)
        const count = deliveries.get(key)?.length ?? 0
        if (count > 1) return [S11('doubled', id, `The event "${type}" has ${count} deliveries to ${endpoint.id}.`)]
        if (count === 0) return [S11('lost', id, `The event "${type}" has no delivery to ${endpoint.id}.`)]
        return received.has(key) ? [] : [S11('lost', id, `The event "${type}" never came to ${endpoint.id}.`)]
      }),
  )
}

function checkSchedule(
  { id }: DeliveryRow,
  attempts: AttemptRow[],
  { settings: { webhookGapsMs: gapsMs }, faults }: History,
): Violation[] {
  const found: Violation[] = []
  if (attempts.some(({ number }, n) => number !== n + 1))
    found.push(S11('other', id, `The delivery's attempts are numbered ${attempts.map(({ number }) => number)}.`))
  const inOrder = attempts.toSorted((a, b) => a.atMs - b.atMs)
  const mayBeDoubled = (attempt: AttemptRow) => mayHaveTwoWorkers(faults, attempt)
  if (attempts.length > gapsMs.length + 1 && !inOrder.some(mayBeDoubled))
    found.push(S11('doubled', id, `The delivery has ${attempts.length} attempts, of ${gapsMs.length + 1}.`))
  for (const [n, attempt] of inOrder.entries()) {
    const before = inOrder[n - 1]
    if (!before || mayBeDoubled(before) || mayBeDoubled(attempt)) continue
    const gapMs = attempt.atMs - (before.atMs + before.durationMs)
    const earliestMs = (gapsMs[n - 1] ?? 0) * EARLIEST - ROUNDING_MS
    const came = `Attempt ${n + 1} of the delivery came ${Math.round(gapMs)} ms after the one before`
    if (isSuccess(before.statusCode)) found.push(S11('illegal', id, `${came}, which had succeeded.`))
    else if (gapMs < earliestMs) found.push(S11('illegal', id, `${came}.`))
  }
  return found
}

function checkSuccess(
  { id, status, deliveredAtMs }: DeliveryRow,
  attempts: AttemptRow[],
  received: ReceivedWebhook[],
  faults: InjectedFault[],
): Violation[] {
  const hasSucceeded = attempts.some(({ statusCode }) => isSuccess(statusCode))
  if (status !== 'succeeded') return hasSucceeded ? [S11('lost', id, `The delivery succeeded and is ${status}.`)] : []
  if (!hasSucceeded || !received.some((each) => isSuccess(each.status)))
    return [S11('illegal', id, 'The delivery is said to have succeeded, and no receiver has said so.')]
  const recordedMs = (deliveredAtMs ?? 0) + ROUNDING_MS
  const late = received.some(({ atMs }) => atMs > recordedMs && !mayHaveTwoWorkers(faults, { atMs }))
  return late ? [S11('doubled', id, 'The delivery came again after its success had been recorded.')] : []
}

/**
 * An attempt that its worker could not record, or acknowledge, is made again by another one, and both may be on their way at once: one stood
 * still, or waits for the database to take what it has to say. Both are kept. How much later the second one begins says nothing: it may wait
 * for a lease, or for a consumer that was lost. So something was broken at the one or at the other.
 */
function mayHaveTwoWorkers(
  faults: InjectedFault[],
  { atMs, durationMs = 0 }: { atMs: number; durationMs?: number },
): boolean {
  const recordedMs = atMs + durationMs + RECORDED_WITHIN_MS
  return faults.some(
    ({ target, startedAtMs, endedAtMs }) =>
      /webhooks|postgres|nats/i.test(target) && startedAtMs <= recordedMs && endedAtMs + AFTERMATH_MS >= atMs,
  )
}

function checkOver({ id, status, nextAttemptAtMs }: DeliveryRow, collectedAtMs: number): Violation[] {
  if (status !== 'pending' || (nextAttemptAtMs ?? 0) > collectedAtMs) return []
  return [L3('stuck', id, 'The delivery is still to be attempted, though its time has come.')]
}
