/**
 * Publishes due attempts for which their endpoint has free concurrency. Woken in the process for endpoints with new
 * deliveries or ended attempts. Polls for retries and for publications without an outcome, for example after NATS lost
 * its store or a process was killed. Every replica runs one publisher.
 */
import { headers } from '@nats-io/transport-node'
import { WEBHOOK_ATTEMPTS_SUBJECT } from '@platen/proto/subjects.ts'
import type { Nats } from '@platen/runtime/messaging/nats.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { pause, retry } from '@platen/runtime/retry.ts'
import { createIdleWait, type IdleWait } from '@platen/runtime/timers.ts'
import type { Webhooks } from '../webhooks.ts'
import type { AttemptMessage } from './attempt-message.ts'
import { type DueDelivery, findDue, takeDue } from './take-due.ts'

const POLL_MS = 250
/**
 * A pause is at least this many times as long as the poll before it, which limits the share of polls in the load of the
 * database.
 */
const POLL_PAUSE_FACTOR = 20
/**
 * Taking many deliveries by one statement is cheaper, so the pause collects more of them. It is short after few
 * deliveries.
 */
const toPauseMs = (taken: number) => Math.min(10, taken / 2)
const IDLE_MS = 60_000
const PUBLISH_TIMEOUT_MS = 2_000
/** While NATS is unavailable, no more deliveries are taken. */
const PUBLISH_RETRY_MS = 1_000

export class Publisher {
  private readonly service: ServiceProcess
  private readonly webhooks: Webhooks
  private readonly leaseMs: number
  private readonly idle: IdleWait
  /** Endpoints to take deliveries of, collected since the last statement. */
  private requested = new Set<string>()
  /** Endpoints that may have more due deliveries than their concurrency permitted. */
  private readonly full = new Set<string>()

  constructor(service: ServiceProcess, webhooks: Webhooks, leaseMs: number) {
    this.service = service
    this.webhooks = webhooks
    this.leaseMs = leaseMs
    this.idle = createIdleWait(service.stopping)
  }

  start(): void {
    const loops = Promise.all([this.takeInLoop(), this.pollInLoop()])
    this.service.onStop('publishing of due deliveries', () => loops)
  }

  /** These endpoints have due deliveries. */
  deliveriesAdded(endpointIds: string[]): void {
    if (endpointIds.length === 0) return
    for (const id of endpointIds) this.requested.add(id)
    this.idle.wake()
  }

  attemptEnded(endpointId: string): void {
    if (this.full.has(endpointId)) this.deliveriesAdded([endpointId])
  }

  private async takeInLoop(): Promise<void> {
    while (!this.service.stopping.aborted) {
      this.idle.beforePoll()
      const taken = await this.publishDue().catch((error) => this.logFailure(error))
      await pause(toPauseMs(taken), this.service.stopping)
      await this.idle.idle(IDLE_MS)
    }
  }

  private async pollInLoop(): Promise<void> {
    while (!this.service.stopping.aborted) {
      const startedAt = performance.now()
      await findDue(this.webhooks.pool, this.webhooks.clock.now()).then(
        (endpointIds) => this.deliveriesAdded(endpointIds),
        (error) => this.logFailure(error),
      )
      await pause(Math.max(POLL_MS, (performance.now() - startedAt) * POLL_PAUSE_FACTOR), this.service.stopping)
    }
  }

  /** @returns the number of taken deliveries. */
  private async publishDue(): Promise<number> {
    const endpointIds = [...this.requested]
    this.requested = new Set()
    if (endpointIds.length === 0) return 0
    const due = await takeDue(this.webhooks, endpointIds, this.leaseMs)
    const taken = Map.groupBy(due, ({ endpointId }) => endpointId)
    for (const id of endpointIds) {
      const [first, ...others] = taken.get(id) ?? []
      if (first && 1 + others.length < first.available) this.full.delete(id)
      else this.full.add(id)
    }
    if (due.length > 0) await this.publish(due)
    return due.length
  }

  /** Retries until the leases end. The deliveries are then due again. */
  private async publish(due: DueDelivery[]): Promise<void> {
    const deadline = performance.now() + this.leaseMs
    await retry(() => publishAttempts(this.webhooks.nats, due), {
      pauseMs: PUBLISH_RETRY_MS,
      signal: this.service.stopping,
      repeats: () => performance.now() < deadline,
    })
  }

  private logFailure(error: unknown): number {
    if (!this.service.stopping.aborted)
      this.service.log.debug({ err: error }, 'publishing of due deliveries failed, retrying')
    return 0
  }
}

/**
 * Waits for the acknowledgement of the last message only, because one for each takes 7 % of the CPU time of a delivery.
 * The server stores the messages of a connection in their order, and drops those that it has. A lost one is published
 * again when its lease ends.
 */
async function publishAttempts({ connection, jetstream }: Nats, due: DueDelivery[]): Promise<void> {
  for (const [n, { id, publication }] of due.entries()) {
    const message: AttemptMessage = { deliveryId: id, publication }
    const body = JSON.stringify(message)
    const msgID = `${id}:${publication}`
    if (n === due.length - 1) {
      await jetstream.publish(WEBHOOK_ATTEMPTS_SUBJECT, body, { msgID, timeout: PUBLISH_TIMEOUT_MS })
    } else {
      const withId = headers()
      withId.set('Nats-Msg-Id', msgID)
      connection.publish(WEBHOOK_ATTEMPTS_SUBJECT, body, { headers: withId })
    }
  }
}
