/**
 * Follows the event logs of other services by the stream `PLATEN_EVENTS`: one durable consumer for all replicas of the
 * service, with one batch at a time. What the stream has lost is read from the log by RPC: before the next batch, and
 * every second while there are events.
 */
import { fromBinary } from '@bufbuild/protobuf'
import { EventBatchSchema } from '@platen/proto/gen/platen/events/v1/events_pb.ts'
import { EVENTS_STREAM, eventsSubject } from '@platen/proto/subjects.ts'
import { startConsumer } from '../messaging/consume.ts'
import type { Nats } from '../messaging/nats.ts'
import type { ServiceProcess } from '../process.ts'
import { startTimer } from '../timers.ts'
import { createFollower, type FollowedLog, type Follower, withSpans } from './follow.ts'

/** Bounds the delay of events that the stream has lost. */
const READ_EVERY_MS = 1_000
/** Reads that are skipped after one that found nothing: 1, then 3. */
const SKIPPED_MAX = 3

const BACKOFF_MS = [1_000, 5_000, 30_000, 120_000, 300_000] as const

/** How often a batch is tried whose gap was read, or whose cursor another replica moved. */
const TRIES = 3

/**
 * Follows until the process stops. The consumer has the name of the schema.
 *
 * @param logs at least one, all of one schema.
 */
export function startFollowing(service: ServiceProcess, nats: Nats, logs: FollowedLog[]): void {
  const name = logs[0]?.schema ?? ''
  const followers = new Map(logs.map((followed) => [eventsSubject(followed.log), followLog(service, followed)]))
  startConsumer(
    service,
    nats,
    {
      name,
      stream: EVENTS_STREAM,
      filterSubject: followers.size === 1 ? [...followers.keys()][0] : undefined,
      concurrency: 1,
      unacknowledgedMax: 1,
      backoffMs: BACKOFF_MS,
    },
    async (message) => await followers.get(message.subject)?.accept(message.data),
  )
  startTimer(service, 'event logs', READ_EVERY_MS, async () => {
    for (const follower of followers.values()) await follower.poll()
  })
}

function followLog(service: ServiceProcess, followed: FollowedLog) {
  const follower: Follower = createFollower(service, {
    ...followed,
    apply: (events, move) => withSpans(events, () => followed.apply(events, move)),
  })
  /** Polls to skip, and how many of them are left. */
  let skipped = 0
  let left = 0
  return {
    async poll(): Promise<void> {
      if (left-- > 0) return
      skipped = (await follower.catchUp()) ? 0 : Math.min(2 * skipped + 1, SKIPPED_MAX)
      left = skipped
    },

    /** @throws if the batch could not be applied. */
    async accept(data: Uint8Array): Promise<void> {
      skipped = left = 0
      const batch = fromBinary(EventBatchSchema, data)
      for (let tries = 0; tries < TRIES; tries++) {
        const accepted = await follower.accept(batch)
        if (accepted === 'gap') await follower.catchUp()
        else if (accepted === 'done') return
      }
      throw new Error(`the cursor of ${followed.log} was moved during ${TRIES} tries`)
    },
  }
}
