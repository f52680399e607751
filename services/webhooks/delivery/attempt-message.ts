/** What carries a due attempt to a worker, and how far the workers are behind. */
import { WEBHOOK_ATTEMPTS_STREAM, webhookAttemptSubject } from '@platen/proto/subjects.ts'
import type { ConsumerConfig } from '@platen/runtime/messaging/consume.ts'
import type { Nats } from '@platen/runtime/messaging/nats.ts'
import { z } from 'zod'
import { type Lane, SLOW_PLACES } from './pace.ts'

/** Ids alone: what is sent where is read when it is sent. */
export const attemptMessage = z.object({ deliveryId: z.uuid(), publication: z.number().int() })
export type AttemptMessage = z.infer<typeof attemptMessage>

/** A worker that died leaves its attempts to the others so long after its last word. */
const ACK_WAIT_MS = 6_000
/** Attempts that a process makes at a time, in all. */
const PLACES = 256

/** The slow ones cannot stand in the way of the others, nor get more than their share. */
export const LANES: Record<Lane, ConsumerConfig> = {
  fast: laneConfig('fast', PLACES - SLOW_PLACES),
  slow: laneConfig('slow', SLOW_PLACES),
}

function laneConfig(lane: Lane, concurrency: number): ConsumerConfig {
  return {
    name: `webhook-attempts-${lane}`,
    stream: WEBHOOK_ATTEMPTS_STREAM,
    filterSubject: webhookAttemptSubject(lane),
    concurrentEvents: concurrency,
    ackWaitMs: ACK_WAIT_MS,
  }
}

/**
 * @returns attempts that were published and are not over, of all replicas.
 * @throws when NATS is away, or a consumer is not there yet.
 */
export async function countOutstanding({ manager }: Nats): Promise<number> {
  const infos = await Promise.all(
    Object.values(LANES).map(({ stream, name }) => manager.consumers.info(stream.name, name)),
  )
  return infos.reduce((sum, info) => sum + info.num_pending + info.num_ack_pending, 0)
}
