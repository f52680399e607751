/**
 * Publishes each attempt when it is due. Woken in process when deliveries were added; polls for retries, and for whatever was published and
 * nothing came of: a wiped NATS, a process that was killed. Every replica runs one.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { webhookAttemptSubject } from '@platen/proto/subjects.ts'
import { createPublisher } from '@platen/runtime/messaging/publisher.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { createRest, ignoreAbort } from '@platen/runtime/timers.ts'
import type { Webhooks } from '../webhooks.ts'
import { type AttemptMessage, countOutstanding } from './attempt-message.ts'
import type { Pace } from './pace.ts'
import { type DueDelivery, takeDue } from './take-due.ts'

const BATCH = 500
const POLL_MS = 250
/**
 * After a batch of so many: one statement for many deliveries costs less than one for each. The few that come by themselves, those that were
 * put off above all, hold up nobody who comes after them.
 */
const restAfterMs = (taken: number) => Math.min(20, taken / 2)
/** More would only wait in JetStream, where their leases run out; in the table they wait in their order, at no cost. */
const OUTSTANDING_MAX = 2_000
/** Until some of them are over. */
const NO_ROOM_MS = 20

/** @returns the call to wake it. */
export function startPublishing(service: ServiceProcess, webhooks: Webhooks, pace: Pace, leaseMs: number): () => void {
  const { nats, pool, clock } = webhooks
  const publisher = createPublisher(service, nats.connection)
  const { wake, beforeLook, rest } = createRest(service.stopping)

  /** @returns how many were due; undefined when there is no room for more. */
  async function publishDue(): Promise<number | undefined> {
    const room = OUTSTANDING_MAX - (await countOutstanding(nats))
    if (room <= 0) return undefined
    const now = clock.now()
    const { taken, due } = await takeDue(pool, { now, leaseMs, limit: Math.min(BATCH, room), resting: pace.resting() })
    await Promise.all(due.map(publish))
    return taken
  }

  /** What is not published now is due again when its lease has run out. */
  async function publish({ id, endpointId, publication }: DueDelivery): Promise<void> {
    const message: AttemptMessage = { deliveryId: id, publication }
    try {
      await publisher.publish({
        subject: webhookAttemptSubject(pace.laneOf(endpointId)),
        payload: JSON.stringify(message),
        messageId: `${id}:${publication}`,
        headers: {},
      })
    } catch (error) {
      service.log.debug({ err: error, delivery_id: id }, 'attempt not published, left to its lease')
    }
  }

  const loop = async () => {
    while (!service.stopping.aborted) {
      beforeLook()
      const taken = await publishDue().catch((error: unknown) => {
        if (!service.stopping.aborted) service.log.debug({ err: error }, 'due deliveries not published, tried again')
        return 0
      })
      if (taken === 0) await rest(POLL_MS)
      else
        await sleep(taken === undefined ? NO_ROOM_MS : restAfterMs(taken), undefined, {
          signal: service.stopping,
        }).catch(ignoreAbort)
    }
  }
  const ended = loop()
  service.onStop('publishing of due deliveries', () => ended)
  return wake
}
