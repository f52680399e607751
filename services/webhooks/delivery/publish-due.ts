/**
 * Publishes each attempt when it is due and its endpoint has a place. Woken in process for endpoints with new deliveries or with a place
 * again; polls for retries, and for whatever was published and nothing came of: a wiped NATS, a process that was killed. Every replica
 * runs one.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { WEBHOOK_ATTEMPTS_SUBJECT } from '@platen/proto/subjects.ts'
import { createPublisher } from '@platen/runtime/messaging/publisher.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { createRest, ignoreAbort } from '@platen/runtime/timers.ts'
import type { Webhooks } from '../webhooks.ts'
import type { AttemptMessage } from './attempt-message.ts'
import { type DueDelivery, findDue, takeDue } from './take-due.ts'

const POLL_MS = 250
/** So many times longer than a poll took is the pause before the next one: with many endpoints, polls cost no more than this part of the time. */
const POLL_SHARE = 20
/** Between two statements: one for many deliveries costs less than one for each. */
const REST_MS = 10
/** While NATS is away nothing more is taken. */
const PUBLISH_AGAIN_MS = 1_000

export interface Publishing {
  /** These endpoints have deliveries that are due. */
  added(endpointIds: string[]): void
  /** An attempt of this endpoint is over. */
  ended(endpointId: string): void
}

export function startPublishing(service: ServiceProcess, { nats, pool, clock }: Webhooks, leaseMs: number): Publishing {
  const publisher = createPublisher(service, nats.connection)
  const { wake, beforeLook, rest } = createRest(service.stopping)
  /** Since the last statement. */
  let woken = new Set<string>()
  /** Endpoints that may have more due than they had places for. */
  const full = new Set<string>()
  let pollAt = performance.now()

  async function poll(): Promise<void> {
    const startedAt = performance.now()
    for (const id of await findDue(pool, clock.now())) woken.add(id)
    const endedAt = performance.now()
    pollAt = endedAt + Math.max(POLL_MS, (endedAt - startedAt) * POLL_SHARE)
  }

  async function publishDue(): Promise<void> {
    if (performance.now() >= pollAt) await poll()
    const endpointIds = [...woken]
    woken = new Set()
    if (endpointIds.length === 0) return
    const due = await takeDue(pool, endpointIds, clock.now(), leaseMs)
    const taken = Map.groupBy(due, ({ endpointId }) => endpointId)
    for (const id of endpointIds) {
      const [first, ...others] = taken.get(id) ?? []
      if (first && 1 + others.length < first.places) full.delete(id)
      else full.add(id)
    }
    const until = performance.now() + leaseMs
    await Promise.all(due.map((delivery) => publish(delivery, until)))
  }

  /** What is not published within its lease is due again. */
  async function publish({ id, publication }: DueDelivery, until: number): Promise<void> {
    const message: AttemptMessage = { deliveryId: id, publication }
    const published = {
      subject: WEBHOOK_ATTEMPTS_SUBJECT,
      payload: JSON.stringify(message),
      messageId: `${id}:${publication}`,
      headers: {},
    }
    while (performance.now() < until && !service.stopping.aborted) {
      try {
        return await publisher.publish(published)
      } catch (error) {
        service.log.debug({ err: error, delivery_id: id }, 'attempt not published, tried again')
        await sleep(PUBLISH_AGAIN_MS, undefined, { signal: service.stopping }).catch(ignoreAbort)
      }
    }
  }

  const loop = async () => {
    while (!service.stopping.aborted) {
      beforeLook()
      await publishDue().catch((error: unknown) => {
        if (!service.stopping.aborted) service.log.debug({ err: error }, 'due deliveries not published, polled for')
      })
      await sleep(REST_MS, undefined, { signal: service.stopping }).catch(ignoreAbort)
      await rest(Math.max(0, pollAt - performance.now()))
    }
  }
  const over = loop()
  service.onStop('publishing of due deliveries', () => over)
  function added(endpointIds: string[]): void {
    for (const id of endpointIds) woken.add(id)
    wake()
  }
  return { added, ended: (endpointId) => full.has(endpointId) && added([endpointId]) }
}
