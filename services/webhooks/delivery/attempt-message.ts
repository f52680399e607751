/** The message that gives a due attempt to a worker. */
import { WEBHOOK_ATTEMPTS_STREAM } from '@platen/proto/subjects.ts'
import type { ConsumerOptions } from '@platen/runtime/messaging/consume.ts'
import { z } from 'zod'

/** Contains only ids. The worker reads URL, secrets and body immediately before the attempt. */
export const attemptMessage = z.object({ deliveryId: z.uuid(), publication: z.number().int() })
export type AttemptMessage = z.infer<typeof attemptMessage>

export const ATTEMPTS: ConsumerOptions = {
  name: 'webhook-attempts',
  stream: WEBHOOK_ATTEMPTS_STREAM,
  // Concurrent attempts per process. Endpoints that stop responding use up to 64 each until their first attempts end.
  concurrency: 1_024,
  unacknowledgedMax: 2_000,
  // The attempts of a worker that crashed are redelivered after 6 s. The lease of a delivery ends before the last
  // pauses.
  backoffMs: [6_000, 30_000, 120_000, 300_000],
}
