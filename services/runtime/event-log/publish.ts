/**
 * Publishes the event log of a service to the stream `PLATEN_EVENTS`, in batches. The cursor of the log in the
 * service's own schema is moved after the server has stored a batch, at most once a second, so the stream gets each
 * event at least once and in order: a publisher that starts again repeats those of the last second. Consumers skip what
 * they have applied, and read from the log what the stream has lost (`consume.ts`), so correctness does not depend on
 * this.
 *
 * All replicas can publish. A replica whose cursor was moved by another replica pauses, and announces its new events to
 * the others.
 */
import { create, toBinary } from '@bufbuild/protobuf'
import { JetStreamApiError } from '@nats-io/jetstream'
import { context } from '@opentelemetry/api'
import {
  EventBatchSchema,
  type LogEvent,
  ReadEventLogRequestSchema,
} from '@platen/proto/gen/platen/events/v1/events_pb.ts'
import { EVENTS_STREAM, eventLogSubject, eventsSubject } from '@platen/proto/subjects.ts'
import type { Pool } from 'pg'
import { ensureStream, type Nats } from '../messaging/nats.ts'
import type { ServiceProcess } from '../process.ts'
import { pause } from '../retry.ts'
import { contextFrom } from '../telemetry/trace-context.ts'
import { createIdleWait } from '../timers.ts'
import { createFollower, type Move, moved, moveValues } from './follow.ts'
import { readEventLog } from './read.ts'

/**
 * Between the starts of two batches, and one more millisecond for each event of the last batch, up to the maximum. A
 * message costs the server about the same with one event as with hundreds, and so does the statement of a consumer.
 */
const BATCH_EVERY_MS = { min: 20, max: 60 }
/**
 * Bounds the delay after a lost announcement, and of a commit without one. Polls that find nothing are further and
 * further apart.
 */
const POLL_EVERY_MS = { first: 1_000, longest: 4_000 }
/**
 * The stored cursor moves at most so often, because a statement for each batch is a tenth of what a job costs at one
 * job a second.
 */
const MOVE_EVERY_MS = 1_000
/** After a failure, or while another replica publishes. */
const RETRY_MS = 1_000
const PUBLISH_TIMEOUT_MS = 2_000
/** The answer of a cluster, to the second of two replicas that publish the same batch at the same time. */
const DUPLICATE_IN_PROCESS = 10158

/**
 * Publishes until the process stops.
 *
 * @param schema of the service, which is also the name of the log.
 * @returns a function that wakes the publisher, of another replica if that one publishes. Call it after the commit.
 */
export function startPublishing(
  service: ServiceProcess,
  nats: Nats,
  { schema, pool }: { schema: string; pool: Pool },
): () => void {
  /** Number of events of the last batch. */
  let published = 0
  const cursor = new PublishedCursor(pool, schema)
  const follower = createFollower(service, {
    log: schema,
    schema,
    pool,
    read: (request) => readEventLog(pool, schema, create(ReadEventLogRequestSchema, request)),
    async apply(events, move) {
      published = events.length
      return (await publish(nats, schema, events, move)) && (await cursor.move(move))
    },
  })
  /** Another replica publishes, and this one pauses. */
  let isPaused = false
  const { wake, beforePoll, idle } = createIdleWait(service.stopping)
  const subject = eventLogSubject(schema)
  const subscription = nats.connection.subscribe(subject, { callback: wake })
  const loop = async () => {
    let isStreamThere = false
    let pollMs = POLL_EVERY_MS.first
    while (!service.stopping.aborted) {
      beforePoll()
      const startedAt = performance.now()
      try {
        if (!isStreamThere) await ensureStream(nats, EVENTS_STREAM)
        isStreamThere = true
        published = 0
        const outcome = await follower.step()
        isPaused = outcome === 'lost'
        pollMs = published > 0 ? POLL_EVERY_MS.first : Math.min(2 * pollMs, POLL_EVERY_MS.longest)
        if (isPaused) await pause(RETRY_MS, service.stopping)
        else if (outcome === 'done') {
          await cursor.storeDue()
          await idle(pollMs)
        }
      } catch (error) {
        isStreamThere = false
        service.log.warn({ err: error, log: schema }, 'publishing events failed, retrying')
        await pause(RETRY_MS, service.stopping)
      }
      const everyMs = Math.min(BATCH_EVERY_MS.min + published, BATCH_EVERY_MS.max)
      const delayMs = everyMs - (performance.now() - startedAt)
      if (delayMs > 0) await pause(delayMs, service.stopping)
    }
  }
  const ended = context.with(contextFrom(undefined), loop)
  service.onStop(`publishing of events of ${schema}`, async () => {
    subscription.unsubscribe()
    await ended
    await cursor.store().catch((error: unknown) => service.log.debug({ err: error, log: schema }, 'cursor not stored'))
  })
  return () => {
    if (!isPaused) wake()
    else if (!nats.connection.isClosed()) nats.connection.publish(subject)
  }
}

/** @returns false if another replica publishes these events. */
async function publish(nats: Nats, schema: string, events: LogEvent[], { from, to }: Move): Promise<boolean> {
  const batch = toBinary(EventBatchSchema, create(EventBatchSchema, { from, events, end: to }))
  const msgID = `${schema} ${to.commitSeq} ${to.number}`
  try {
    await nats.jetstream.publish(eventsSubject(schema), batch, { msgID, timeout: PUBLISH_TIMEOUT_MS })
    return true
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === DUPLICATE_IN_PROCESS) return false
    throw error
  }
}

/** The cursor of the log: what was published is stored at most every `MOVE_EVERY_MS`. */
class PublishedCursor {
  private readonly pool: Pool
  private readonly schema: string
  /** From the stored cursor to the end of the last batch. Undefined: the stored cursor is at its end. */
  private unstored: Move | undefined
  private storedAt = Number.NEGATIVE_INFINITY

  constructor(pool: Pool, schema: string) {
    this.pool = pool
    this.schema = schema
  }

  /** @returns false if another replica has moved the stored cursor. */
  async move(move: Move): Promise<boolean> {
    // A follower that has failed reads the stored cursor and repeats what follows it, so the moves do not join.
    const continued = this.unstored && isSame(this.unstored.to, move.from) ? this.unstored.from : move.from
    this.unstored = { ...move, from: continued }
    return await this.storeDue()
  }

  async storeDue(): Promise<boolean> {
    return performance.now() - this.storedAt < MOVE_EVERY_MS || (await this.store())
  }

  async store(): Promise<boolean> {
    const { pool, schema, unstored } = this
    if (!unstored) return true
    this.unstored = undefined
    this.storedAt = performance.now()
    const { rowCount } = await pool.query({
      name: `move cursor of ${schema}`,
      text: `WITH ${moved(schema, 1)} SELECT FROM moved`,
      values: moveValues(unstored),
    })
    return rowCount === 1
  }
}

const isSame = (a: Move['to'], b: Move['from']) => a.commitSeq === b.commitSeq && a.number === b.number
