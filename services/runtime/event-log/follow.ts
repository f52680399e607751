/**
 * Follows the event log of another service. The cursor is stored in the consumer's schema and moves in the statement that applies the
 * events, so each event is applied exactly once and in order, also after crashes and restores. Consumers get events only by this log.
 *
 * All replicas can follow a log. A replica whose cursor was moved by another replica pauses.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import { context, SpanKind, trace } from '@opentelemetry/api'
import type {
  LogEvent,
  LogPosition,
  ReadEventLogRequest,
  ReadEventLogResponse,
} from '@platen/proto/gen/platen/events/v1/events_pb.ts'
import { eventLogSubject } from '@platen/proto/subjects.ts'
import { DatabaseError, type Pool } from 'pg'
import type { Nats } from '../messaging/nats.ts'
import type { ServiceProcess } from '../process.ts'
import { eventLogOldest } from '../telemetry/metrics.ts'
import { contextFrom } from '../telemetry/trace-context.ts'
import { createIdleWait, ignoreAbort } from '../timers.ts'

/** Between the starts of two batches, so that many events share one statement. */
const BATCH_EVERY_MS = 20
/** Bounds the delay after a lost wake. */
const POLL_EVERY_MS = 1_000
/** After a failure, or while another replica follows. */
const RETRY_MS = 1_000

/** SQLSTATE classes of permanent faults of an event: data exception, integrity constraint violation. */
const DATA_ERROR_CLASSES = ['22', '23']

const tracer = trace.getTracer('platen.event-log')

type Position = Pick<LogPosition, 'commitSeq' | 'number'>

/** Migration statement that creates the cursors of `schema`. */
export const createCursors = (schema: string) =>
  `CREATE TABLE ${schema}.log_cursor (log text PRIMARY KEY, last_commit_seq bigint NOT NULL DEFAULT 0, number bigint NOT NULL DEFAULT 0)`

/** A cursor movement by one batch. */
export interface Move {
  log: string
  from: Position
  to: Position
}

/**
 * SQL of the first CTE of a statement that applies a batch. `moved` has a row only if no other replica has applied the batch, and the
 * statement's writes must depend on it. Its parameters are `moveValues`.
 *
 * @param first the number of its first parameter.
 */
export const moved = (schema: string, first: number) => `moved AS (
  UPDATE ${schema}.log_cursor SET last_commit_seq = $${first + 3}, number = $${first + 4}
  WHERE log = $${first} AND last_commit_seq = $${first + 1} AND number = $${first + 2} RETURNING log
)`

export const moveValues = ({ log, from, to }: Move) => [log, from.commitSeq, from.number, to.commitSeq, to.number]

export interface FollowedLog {
  /** Name of the cursor. */
  log: string
  /** Schema of the consumer. */
  schema: string
  pool: Pool
  read: (request: Pick<ReadEventLogRequest, 'mode' | 'type'> & { after: Position }) => Promise<ReadEventLogResponse>
  /** Filters by mode and type. Empty matches all. */
  mode?: string
  type?: string
  /**
   * Applies events and moves the cursor in one statement.
   *
   * @returns false without effect if another replica has moved the cursor.
   */
  apply: (events: LogEvent[], move: Move) => Promise<boolean>
}

/** `more`: more events can be read. `hidden`: more events follow once an older transaction ends. `lost`: another replica follows. */
type Step = 'done' | 'more' | 'hidden' | 'lost'

export interface Follower {
  /** Reads and applies one batch. */
  step(): Promise<Step>
  /** Reads and applies all visible events, unless another replica follows. */
  catchUp(): Promise<void>
}

export function createFollower({ log: logger }: Pick<ServiceProcess, 'log'>, followed: FollowedLog): Follower {
  const { log, schema, pool, apply, mode = '', type = '' } = followed
  /** The stored cursor. Undefined: unknown, must be read. */
  let cursor: Position | undefined
  /** The log has no matching events from `cursor` to here. Avoids cursor writes for logs without matching events. */
  let seen: Position = { commitSeq: 0n, number: 0n }
  /** All events until then are applied, by this or another replica. In milliseconds since 1970. */
  let appliedUntil = Date.now()
  eventLogOldest.observe({ service: schema, log }, () => Math.max(0, Date.now() - appliedUntil) / 1000)

  async function readCursor(): Promise<Position> {
    await pool.query(`INSERT INTO ${schema}.log_cursor (log) VALUES ($1) ON CONFLICT DO NOTHING`, [log])
    const { rows } = await pool.query<{ last_commit_seq: string; number: string }>(
      `SELECT last_commit_seq, number FROM ${schema}.log_cursor WHERE log = $1`,
      [log],
    )
    return { commitSeq: BigInt(rows[0]?.last_commit_seq ?? 0), number: BigInt(rows[0]?.number ?? 0) }
  }

  async function move(events: LogEvent[], from: Position, to: Position): Promise<boolean> {
    cursor = undefined
    const isOurs = await withSpans(events, () => apply(events, { log, from, to }))
    if (isOurs) cursor = seen = to
    return isOurs
  }

  /** Applies events one by one, so that an invalid event does not block others. */
  async function applySingly(events: LogEvent[], from: Position): Promise<boolean> {
    let at = from
    for (const event of events) {
      const to = event.position ?? at
      const isOurs = await move([event], at, to).catch((error: unknown) => {
        if (!isDataError(error)) throw error
        logger.error({ err: error, log, event_id: event.id }, 'event cannot be applied, skipped')
        return move([], at, to)
      })
      if (!isOurs) return false
      at = to
    }
    return true
  }

  async function step(): Promise<Step> {
    const startedAt = Date.now()
    const { outcome, last } = await readAndApply()
    if (outcome === 'done' || outcome === 'lost') appliedUntil = startedAt
    else if (last?.occurredAt) appliedUntil = timestampMs(last.occurredAt)
    return outcome
  }

  /** @returns the last applied event. */
  async function readAndApply(): Promise<{ outcome: Step; last?: LogEvent | undefined }> {
    if (!cursor) cursor = seen = await readCursor()
    const from = cursor
    const { events, end = seen, more } = await followed.read({ after: seen, mode, type })
    if (events.length === 0) {
      if (end.commitSeq > seen.commitSeq) seen = end
      return { outcome: more ? 'hidden' : 'done' }
    }
    const isOurs = await move(events, from, end).catch((error: unknown) => {
      if (!isDataError(error)) throw error
      return applySingly(events, from)
    })
    if (!isOurs) return { outcome: 'lost' }
    return more ? { outcome: 'more', last: events.at(-1) } : { outcome: 'done' }
  }

  return {
    step,
    async catchUp() {
      while ((await step()) === 'more');
    },
  }
}

/** Follows until the process stops. Woken by `createAnnouncement`. */
export function startFollowing(service: ServiceProcess, nats: Nats, followed: FollowedLog): void {
  const follower = createFollower(service, followed)
  const { wake, beforePoll, idle } = createIdleWait(service.stopping)
  const pause = (ms: number) => sleep(ms, undefined, { signal: service.stopping }).catch(ignoreAbort)
  const subscription = nats.connection.subscribe(eventLogSubject(followed.log), { callback: wake })
  const loop = async () => {
    while (!service.stopping.aborted) {
      beforePoll()
      const startedAt = performance.now()
      const outcome = await follower.step().catch((error: unknown) => {
        service.log.warn({ err: error, log: followed.log }, 'reading or applying events failed, retrying')
        return 'lost' as const
      })
      if (outcome === 'lost') await pause(RETRY_MS)
      else if (outcome === 'done') await idle(POLL_EVERY_MS)
      const delayMs = BATCH_EVERY_MS - (performance.now() - startedAt)
      if (delayMs > 0) await pause(delayMs)
    }
  }
  const ended = context.with(contextFrom(undefined), loop)
  service.onStop(`follower of ${followed.log}`, async () => {
    subscription.unsubscribe()
    await ended
  })
}

/** Records a span for each event in the trace of its cause. */
async function withSpans<T>(events: LogEvent[], work: () => Promise<T>): Promise<T> {
  const spans = events
    .filter(({ traceparent }) => traceparent !== '')
    .map(({ type, traceparent, id }) =>
      tracer.startSpan(
        `process ${type}`,
        { kind: SpanKind.CONSUMER, attributes: { 'messaging.message.id': id } },
        contextFrom(traceparent),
      ),
    )
  try {
    return await work()
  } finally {
    for (const span of spans) span.end()
  }
}

const isDataError = (error: unknown) =>
  error instanceof DatabaseError && DATA_ERROR_CLASSES.includes(error.code?.slice(0, 2) ?? '')
