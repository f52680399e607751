/**
 * The delivery engine. PostgreSQL is the truth: a delivery is due at a time (`due_at`), is published to JetStream then under a lease
 * (`publish-due.ts`), is attempted by a worker (`worker.ts`), and is due again later, or never. What a lost message, a wiped NATS or a
 * killed process leaves is due again when its lease has run out.
 */
import type { ServiceProcess } from '@platen/runtime/process.ts'
import type { Webhooks } from '../webhooks.ts'
import { createPace } from './pace.ts'
import { startPublishing } from './publish-due.ts'
import { callBack, startPuttingOff } from './put-off.ts'
import { startWorker, type WorkerOptions } from './worker.ts'

export interface DeliveryOptions extends WorkerOptions {
  leaseMs: number
}

/** @returns the call to make after the commit of a transaction that made deliveries due. */
export function startDelivery(service: ServiceProcess, webhooks: Webhooks, options: DeliveryOptions): () => void {
  const { clock, pool } = webhooks
  const puttingOff = startPuttingOff(pool)
  const pace = createPace(clock, (endpointId, stepMs) => {
    // Also those that were sent away a moment before.
    const called = puttingOff.settled().then(() => callBack(pool, endpointId, clock.now(), stepMs))
    called.then(wake, (error: unknown) =>
      // They come by themselves, later.
      service.log.warn({ err: error, endpoint_id: endpointId }, 'deliveries of a recovered endpoint not called back'),
    )
  })
  const wake = startPublishing(service, webhooks, pace, options.leaseMs)
  startWorker(service, webhooks, { pace, puttingOff }, options)
  return wake
}
