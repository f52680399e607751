/**
 * Publishes each attempt when it is due and its endpoint has a place. Woken in process for endpoints with new deliveries or with a place
 * again; polls for retries, and for whatever was published and nothing came of: a wiped NATS, a process that was killed. Every replica
 * runs one.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { WEBHOOK_ATTEMPTS_SUBJECT } from '@platen/proto/subjects.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { createRest, ignoreAbort } from '@platen/runtime/timers.ts'
import type { Webhooks } from '../webhooks.ts'
import type { AttemptMessage } from './attempt-message.ts'
import { type DueDelivery, findDue, takeDue } from './take-due.ts'

const POLL_MS = 250
/** So many times longer than a poll took is the pause before the next one: with many endpoints, polls cost no more than this part of the time. */
const POLL_SHARE = 20
/**
 * After a statement that took so many: one for many deliveries costs less than one for each. The few that were due by themselves, those of
 * slow endpoints above all, hold up nothing that comes after them.
 */
const restAfterMs = (taken: number) => Math.min(10, taken / 2)
/** Without a wake there is nothing to do. */
const IDLE_MS = 60_000
const PUBLISH_TIMEOUT_MS = 2_000
/** While NATS is away nothing more is taken. */
const PUBLISH_AGAIN_MS = 1_000

export interface Publishing {
  /** These endpoints have deliveries that are due. */
  added(endpointIds: string[]): void
  /** An attempt of this endpoint is over. */
  ended(endpointId: string): void
}

export function startPublishing(service: ServiceProcess, { nats, pool, clock }: Webhooks, leaseMs: number): Publishing {
  const { wake, beforeLook, rest } = createRest(service.stopping)
  /** Since the last statement. */
  let woken = new Set<string>()
  /** Endpoints that may have more due than they had places for. */
  const full = new Set<string>()

  function added(endpointIds: string[]): void {
    if (endpointIds.length === 0) return
    for (const id of endpointIds) woken.add(id)
    wake()
  }

  /** @returns how many. */
  async function publishDue(): Promise<number> {
    const endpointIds = [...woken]
    woken = new Set()
    if (endpointIds.length === 0) return 0
    const due = await takeDue(pool, endpointIds, clock.now(), leaseMs)
    const taken = Map.groupBy(due, ({ endpointId }) => endpointId)
    for (const id of endpointIds) {
      const [first, ...others] = taken.get(id) ?? []
      if (first && 1 + others.length < first.places) full.delete(id)
      else full.add(id)
    }
    const until = performance.now() + leaseMs
    await Promise.all(due.map((delivery) => publish(delivery, until)))
    return due.length
  }

  /** What is not published within its lease is due again. */
  async function publish({ id, publication }: DueDelivery, until: number): Promise<void> {
    const message: AttemptMessage = { deliveryId: id, publication }
    const options = { msgID: `${id}:${publication}`, timeout: PUBLISH_TIMEOUT_MS }
    while (performance.now() < until && !service.stopping.aborted) {
      try {
        await nats.jetstream.publish(WEBHOOK_ATTEMPTS_SUBJECT, JSON.stringify(message), options)
        return
      } catch (error) {
        service.log.debug({ err: error, delivery_id: id }, 'attempt not published, tried again')
        await pause(PUBLISH_AGAIN_MS)
      }
    }
  }

  const pause = (ms: number) => sleep(ms, undefined, { signal: service.stopping }).catch(ignoreAbort)
  const failed = (error: unknown) => {
    if (!service.stopping.aborted) service.log.debug({ err: error }, 'due deliveries not taken, polled for')
    return 0
  }

  const takeLoop = async () => {
    while (!service.stopping.aborted) {
      beforeLook()
      await pause(restAfterMs(await publishDue().catch(failed)))
      await rest(IDLE_MS)
    }
  }
  /** Beside the other one, which it does not hold up. */
  const pollLoop = async () => {
    while (!service.stopping.aborted) {
      const startedAt = performance.now()
      await findDue(pool, clock.now()).then(added, failed)
      await pause(Math.max(POLL_MS, (performance.now() - startedAt) * POLL_SHARE))
    }
  }
  const over = Promise.all([takeLoop(), pollLoop()])
  service.onStop('publishing of due deliveries', () => over)
  return { added, ended: (endpointId) => full.has(endpointId) && added([endpointId]) }
}
