/**
 * A cursor of an event log, and how it moves. It is stored in the schema of the follower and moves in the statement
 * that applies the events, so each event is applied exactly once and in order, also after crashes and restores.
 *
 * Several replicas can follow a log. A replica whose cursor was moved by another replica applies nothing.
 */
import { timestampMs } from '@bufbuild/protobuf/wkt'
import { SpanKind, trace } from '@opentelemetry/api'
import type {
  EventBatch,
  LogEvent,
  LogPosition,
  ReadEventLogRequest,
  ReadEventLogResponse,
} from '@platen/proto/gen/platen/events/v1/events_pb.ts'
import { DatabaseError, type Pool } from 'pg'
import type { ServiceProcess } from '../process.ts'
import { eventLogOldest } from '../telemetry/metrics.ts'
import { contextFrom } from '../telemetry/trace-context.ts'

const tracer = trace.getTracer('platen.event-log')

/** SQLSTATE classes of permanent faults of an event: data exception, integrity constraint violation. */
const DATA_ERROR_CLASSES = ['22', '23']

/** A read returns no more. */
export const EVENTS_MAX = 500
/** The growth of the number of events that are applied at once, after each success. A failure halves it. */
const GROWTH = 1.25

type Position = Pick<LogPosition, 'commitSeq' | 'number'>

/** Migration statement that creates the cursors of `schema`. */
export const createCursors = (schema: string) =>
  `CREATE TABLE ${schema}.log_cursor (log text PRIMARY KEY, last_commit_seq bigint NOT NULL DEFAULT 0,
     number bigint NOT NULL DEFAULT 0)`

/** Migration statements that create the cursor of the publisher of `schema` (`publish.ts`), at the end of its log. */
export const createLogCursor = (schema: string) => [
  createCursors(schema),
  `INSERT INTO ${schema}.log_cursor (log, last_commit_seq)
   SELECT '${schema}', coalesce(max(commit_seq), 0) FROM ${schema}.event_log`,
]

/** A cursor movement by one batch. */
export interface Move {
  log: string
  from: Position
  to: Position
}

/**
 * SQL of the first CTE of a statement that applies a batch. `moved` has a row only if no other replica has applied the
 * batch, and the statement's writes must depend on it. Its parameters are `moveValues`.
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
  read: (request: Pick<ReadEventLogRequest, 'types'> & { after: Position }) => Promise<ReadEventLogResponse>
  /** Default: all. */
  types?: string[]
  /**
   * Applies events and moves the cursor in one statement.
   *
   * @returns false without effect if another replica has moved the cursor.
   */
  apply: (events: LogEvent[], move: Move) => Promise<boolean>
}

/**
 * `more`: more events can be read. `hidden`: more events follow once an older transaction ends. `lost`: another replica
 * has moved the cursor.
 */
type Step = 'done' | 'more' | 'hidden' | 'lost'

/** `gap`: events between the cursor and the batch are missing. `lost`: another replica has moved the cursor. */
type Accepted = 'done' | 'gap' | 'lost'

export interface Follower {
  /** Reads and applies one batch. */
  step(): Promise<Step>
  /** Applies a batch of the stream. Events that were applied before are skipped. */
  accept(batch: EventBatch): Promise<Accepted>
  /** Reads and applies all visible events, also while another replica does. @returns whether it applied any. */
  catchUp(): Promise<boolean>
}

export function createFollower({ log: logger }: Pick<ServiceProcess, 'log'>, followed: FollowedLog): Follower {
  const { log, schema, pool, apply, types = [] } = followed
  /** The stored cursor. Undefined: unknown, must be read. */
  let cursor: Position | undefined
  /** The log has no matching events from `cursor` to here. Avoids cursor writes for logs without matching events. */
  let seen: Position = { commitSeq: 0n, number: 0n }
  /** How many events were applied. */
  let applied = 0
  /** How many events the next statement applies. */
  let atOnce = EVENTS_MAX
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
    const isOurs = await apply(events, { log, from, to })
    if (isOurs) cursor = seen = to
    if (isOurs) applied += events.length
    return isOurs
  }

  /**
   * Applies all events. Events that cannot be applied together are halved, so that a statement that takes too long, or
   * an invalid event, does not block others for ever. A failure that is not due to an event is thrown; the next call
   * tries half as many.
   */
  async function applyAll(events: LogEvent[], from: Position, to: Position): Promise<boolean> {
    let at = from
    for (let rest = events; rest.length > 0; ) {
      const part = rest.slice(0, atOnce)
      const end = part.length < rest.length ? (part.at(-1)?.position ?? at) : to
      try {
        if (!(await move(part, at, end))) return false
        atOnce = Math.min(Math.ceil(atOnce * GROWTH), EVENTS_MAX)
      } catch (error) {
        atOnce = Math.ceil(part.length / 2)
        if (!isDataError(error)) throw error
        if (part.length > 1) continue
        logger.error({ err: error, log, event_id: part[0]?.id }, 'event cannot be applied, skipped')
        if (!(await move([], at, end))) return false
      }
      at = end
      rest = rest.slice(part.length)
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
    const { events, end = seen, more } = await followed.read({ after: seen, types })
    if (events.length === 0) {
      if (end.commitSeq > seen.commitSeq) seen = end
      return { outcome: more ? 'hidden' : 'done' }
    }
    if (!(await applyAll(events, from, end))) return { outcome: 'lost' }
    return more ? { outcome: 'more', last: events.at(-1) } : { outcome: 'done' }
  }

  return {
    step,
    async catchUp() {
      const before = applied
      while (['more', 'lost'].includes(await step()));
      return applied > before
    },
    async accept({ from, events, end }) {
      if (!cursor) cursor = seen = await readCursor()
      if (!end || !from || !isBefore(seen, end)) return 'done'
      if (isBefore(seen, from)) return 'gap'
      const matching = events.filter(
        (event) =>
          (types.length === 0 || types.includes(event.type)) && event.position && isBefore(seen, event.position),
      )
      if (matching.length === 0) seen = end
      else if (!(await applyAll(matching, cursor, end))) return 'lost'
      const last = events.at(-1)?.occurredAt
      if (last) appliedUntil = timestampMs(last)
      return 'done'
    },
  }
}

const isBefore = (a: Position, b: Position) =>
  a.commitSeq < b.commitSeq || (a.commitSeq === b.commitSeq && a.number < b.number)

const isDataError = (error: unknown) =>
  error instanceof DatabaseError && DATA_ERROR_CLASSES.includes(error.code?.slice(0, 2) ?? '')

/** Applies events with a span for each, in the trace of its cause. */
export async function withSpans<T>(events: LogEvent[], work: () => Promise<T>): Promise<T> {
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
