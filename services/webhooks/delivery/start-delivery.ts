/**
 * The delivery engine. PostgreSQL is the truth. A delivery is due at `due_at`, is leased if its endpoint has free
 * concurrency (`take-due.ts`), is published to JetStream (`publish-due.ts`) and attempted by a worker (`worker.ts`),
 * which sets the next `due_at` or none. After a lost message, a lost NATS store or a killed process, the delivery is
 * due again when its lease ends.
 */
import type { ServiceProcess } from '@platen/runtime/process.ts'
import type { Webhooks } from '../webhooks.ts'
import { Publisher } from './publish-due.ts'
import { startWorker, type WorkerOptions } from './worker.ts'

/** @returns a function to call after the commit of a transaction that made deliveries of these endpoints due. */
export function startDelivery(
  service: ServiceProcess,
  webhooks: Webhooks,
  options: WorkerOptions & { leaseMs: number },
): Webhooks['deliveriesAdded'] {
  const publisher = new Publisher(service, webhooks, options.leaseMs)
  publisher.start()
  startWorker(service, webhooks, (endpointId) => publisher.attemptEnded(endpointId), options)
  return (endpointIds) => publisher.deliveriesAdded(endpointIds)
}
