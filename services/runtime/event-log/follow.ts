/**
 * Follows the event log of another service. The cursor lies in the consumer's own schema and moves in the statement that applies the
 * events, so each event has its effect exactly once, in order, whatever is killed or restored in between. There is no other way in which
 * events reach a consumer: what it missed it reads as it reads everything.
 *
 * All replicas may follow. Who finds the cursor moved by another one leaves the log to that one for a moment.
 */
import { setTimeout as sleep } from 'node:timers/promises'
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
import { contextFrom } from '../telemetry/trace-context.ts'
import { createRest, ignoreAbort } from '../timers.ts'

/** Between the starts of two batches: many events share one statement. */
const BATCH_EVERY_MS = 20
/** For wakes that got lost. */
const LOOK_EVERY_MS = 1_000
/** Another replica follows, or something failed. */
const STAND_BACK_MS = 1_000

/** Of SQLSTATE: what is wrong with an event and stays wrong. */
const DATA_FAULTS = ['22', '23']

const BEGINNING = { place: 0n, number: 0n }

const tracer = trace.getTracer('platen.event-log')

type Position = Pick<LogPosition, 'place' | 'number'>

/** The statement of a migration that gives `schema` its cursors. */
export const createCursors = (schema: string) =>
  `CREATE TABLE ${schema}.log_cursor (log text PRIMARY KEY, place bigint NOT NULL DEFAULT 0, number bigint NOT NULL DEFAULT 0)`

/** How far a batch moves the cursor of a log. */
export interface Move {
  log: string
  from: Position
  to: Position
}

/**
 * SQL of a CTE that begins a statement: `moved` has a row when the batch is this replica's to apply. What the statement writes must be
 * conditional on it. Its parameters are `moveValues`.
 *
 * @param first the number of its first parameter.
 */
export const moved = (schema: string, first: number) => `moved AS (
  UPDATE ${schema}.log_cursor SET place = $${first + 3}, number = $${first + 4}
  WHERE log = $${first} AND place = $${first + 1} AND number = $${first + 2} RETURNING log
)`

export const moveValues = ({ log, from, to }: Move) => [log, from.place, from.number, to.place, to.number]

export interface FollowedLog {
  /** Names the cursor. */
  log: string
  /** The consumer's own. */
  schema: string
  pool: Pool
  read: (request: Pick<ReadEventLogRequest, 'mode' | 'type'> & { after: Position }) => Promise<ReadEventLogResponse>
  /** Reads only these events; empty: all. */
  mode?: string
  type?: string
  /**
   * Applies events and moves the cursor, in one statement.
   *
   * @returns false, and nothing is applied, when another replica has moved it.
   */
  apply: (events: LogEvent[], move: Move) => Promise<boolean>
}

/** `more`: there is more to read. `hidden`: there is, once an older transaction has ended. `lost`: another replica follows this log. */
type Step = 'done' | 'more' | 'hidden' | 'lost'

export interface Follower {
  /** Reads and applies one batch. */
  step(): Promise<Step>
  /** Reads and applies all that is complete, unless another replica does. */
  catchUp(): Promise<void>
}

export function createFollower({ log: logger }: Pick<ServiceProcess, 'log'>, followed: FollowedLog): Follower {
  const { log, schema, pool, apply, mode = '', type = '' } = followed
  /** As it is known to be in the table. */
  let cursor: Position | undefined
  /** Up to here there is nothing behind it: a log without events for this consumer costs no write. */
  let seen: Position = BEGINNING

  async function readCursor(): Promise<Position> {
    await pool.query(`INSERT INTO ${schema}.log_cursor (log) VALUES ($1) ON CONFLICT DO NOTHING`, [log])
    const { rows } = await pool.query<{ place: string; number: string }>(
      `SELECT place, number FROM ${schema}.log_cursor WHERE log = $1`,
      [log],
    )
    return { place: BigInt(rows[0]?.place ?? 0), number: BigInt(rows[0]?.number ?? 0) }
  }

  async function move(events: LogEvent[], from: Position, to: Position): Promise<boolean> {
    cursor = undefined
    const isOurs = await withSpans(events, () => apply(events, { log, from, to }))
    if (isOurs) cursor = seen = to
    return isOurs
  }

  /** One by one, so that what is wrong with one event keeps no other back. */
  async function applySingly(events: LogEvent[], from: Position): Promise<boolean> {
    let at = from
    for (const event of events) {
      const to = event.position ?? at
      const isOurs = await move([event], at, to).catch((error: unknown) => {
        if (!isOfData(error)) throw error
        logger.error({ err: error, log, event_id: event.id }, 'an event cannot be applied and is left out')
        return move([], at, to)
      })
      if (!isOurs) return false
      at = to
    }
    return true
  }

  async function step(): Promise<Step> {
    if (!cursor) cursor = seen = await readCursor()
    const from = cursor
    const { events, end = seen, more, ahead } = await followed.read({ after: seen, mode, type })
    if (ahead) {
      logger.warn({ log }, 'the log was restored to an earlier moment and is read again from its beginning')
      return (await move([], from, BEGINNING)) ? 'more' : 'lost'
    }
    if (events.length === 0) {
      if (end.place > seen.place) seen = end
      return more ? 'hidden' : 'done'
    }
    const isOurs = await move(events, from, end).catch((error: unknown) => {
      if (!isOfData(error)) throw error
      return applySingly(events, from)
    })
    if (!isOurs) return 'lost'
    return more ? 'more' : 'done'
  }

  return {
    step,
    async catchUp() {
      while ((await step()) === 'more');
    },
  }
}

/** Follows until the process stops; woken by `createAnnouncement`. */
export function startFollowing(service: ServiceProcess, nats: Nats, followed: FollowedLog): void {
  const follower = createFollower(service, followed)
  const { wake, beforeLook, rest } = createRest(service.stopping)
  const pause = (ms: number) => sleep(ms, undefined, { signal: service.stopping }).catch(ignoreAbort)
  const subscription = nats.connection.subscribe(eventLogSubject(followed.log), { callback: wake })
  const loop = async () => {
    while (!service.stopping.aborted) {
      beforeLook()
      const startedAt = performance.now()
      const outcome = await follower.step().catch((error: unknown) => {
        service.log.warn({ err: error, log: followed.log }, 'events not read or applied, trying again')
        return 'lost' as const
      })
      if (outcome === 'lost') await pause(STAND_BACK_MS)
      else if (outcome === 'done') await rest(LOOK_EVERY_MS)
      const restMs = BATCH_EVERY_MS - (performance.now() - startedAt)
      if (restMs > 0) await pause(restMs)
    }
  }
  const ended = context.with(contextFrom(undefined), loop)
  service.onStop(`follower of ${followed.log}`, async () => {
    subscription.unsubscribe()
    await ended
  })
}

/** Each event in the trace of what caused it. */
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

const isOfData = (error: unknown) =>
  error instanceof DatabaseError && DATA_FAULTS.includes(error.code?.slice(0, 2) ?? '')
