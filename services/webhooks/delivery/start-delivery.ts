/**
 * The delivery engine. PostgreSQL is the truth: a delivery is due at a time (`due_at`), is taken under a lease when its endpoint has a place
 * for it (`take-due.ts`), is published to JetStream (`publish-due.ts`), is attempted by a worker (`worker.ts`), and is due again later, or
 * never. What a lost message, a wiped NATS or a killed process leaves is due again when its lease has run out.
 */
import type { ServiceProcess } from '@platen/runtime/process.ts'
import type { Webhooks } from '../webhooks.ts'
import { startPublishing } from './publish-due.ts'
import { startWorker, type WorkerOptions } from './worker.ts'

export interface DeliveryOptions extends WorkerOptions {
  leaseMs: number
}

/** @returns the call to make after the commit of a transaction that made deliveries of these endpoints due. */
export function startDelivery(
  service: ServiceProcess,
  webhooks: Webhooks,
  options: DeliveryOptions,
): (endpointIds: string[]) => void {
  const { added, ended } = startPublishing(service, webhooks, options.leaseMs)
  startWorker(service, webhooks, ended, options)
  return added
}
