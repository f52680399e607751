/** What carries a due attempt to a worker. */
import { WEBHOOK_ATTEMPTS_STREAM } from '@platen/proto/subjects.ts'
import type { WorkQueue } from '@platen/runtime/messaging/consume.ts'
import { z } from 'zod'

/** Ids alone: what is sent where is read when it is sent. */
export const attemptMessage = z.object({ deliveryId: z.uuid(), publication: z.number().int() })
export type AttemptMessage = z.infer<typeof attemptMessage>

export const ATTEMPTS: WorkQueue = {
  name: 'webhook-attempts',
  stream: WEBHOOK_ATTEMPTS_STREAM,
  // Attempts that a process makes at a time. Endpoints that stop to answer all at once hold 32 each, until their first attempts end.
  concurrency: 512,
  // A worker that died leaves its attempts to the others so long after its last word.
  ackWaitMs: 6_000,
}
