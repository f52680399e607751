/** The message that gives a due attempt to a worker. */
import { WEBHOOK_ATTEMPTS_STREAM } from '@platen/proto/subjects.ts'
import type { WorkQueue } from '@platen/runtime/messaging/consume.ts'
import { z } from 'zod'

/** Contains only ids. The worker reads URL, secrets and body immediately before the attempt. */
export const attemptMessage = z.object({ deliveryId: z.uuid(), publication: z.number().int() })
export type AttemptMessage = z.infer<typeof attemptMessage>

export const ATTEMPTS: WorkQueue = {
  name: 'webhook-attempts',
  stream: WEBHOOK_ATTEMPTS_STREAM,
  // Concurrent attempts per process. Endpoints that stop responding use 32 each until their first attempts end.
  concurrency: 512,
  // The attempts of a worker that crashed are redelivered after this time.
  ackWaitMs: 6_000,
}
