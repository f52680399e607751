/** An event log of items, and a consumer that records applied events, in schemas of a test. */
import { create } from '@bufbuild/protobuf'
import { ReadEventLogRequestSchema } from '@platen/proto/gen/platen/events/v1/events_pb.ts'
import { createEmptyDatabase } from '@platen/test/harness/database.ts'
import { Client, Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { onTestFinished } from 'vitest'
import { continueByProcess, createCommitSeq } from '../database/commit-seq.ts'
import {
  createCursors,
  createFollower,
  createLogCursor,
  type FollowedLog,
  moved,
  moveValues,
} from '../event-log/follow.ts'
import { readEventLog } from '../event-log/read.ts'
import { createEventLog, nextCommitSeq } from '../event-log/table.ts'
import { createLogger } from '../log.ts'

/** The organization of an event is the id of the item, and the body is the number of the change. */
const SCHEMAS = [
  'CREATE SCHEMA shop',
  ...createCommitSeq('shop'),
  ...continueByProcess('shop'),
  'CREATE TABLE shop.item (id uuid PRIMARY KEY, changes int NOT NULL DEFAULT 0)',
  ...createEventLog('shop', ['item']),
  ...createLogCursor('shop'),
  'CREATE SCHEMA reader',
  createCursors('reader'),
  `CREATE TABLE reader.applied (id uuid PRIMARY KEY, item uuid, change int CHECK (change <> 9999), times int DEFAULT 1,
     at bigint GENERATED ALWAYS AS IDENTITY)`,
]

const EVENT = `INSERT INTO shop.event_log (id, commit_seq, organization_id, mode, type, occurred_at, body, traceparent)`

/** Changes the item `$1`. */
export const CHANGE = `
WITH changed AS (
  UPDATE shop.item SET changes = changes + 1, event_commit_seq = ${nextCommitSeq('shop', 'item')} WHERE id = $1
  RETURNING *
)
${EVENT} SELECT uuidv7(), event_commit_seq, id, 'live', 'item.changed', now(), changes, '' FROM changed RETURNING id`

/** `$3` events of an item in one transaction, with bodies of `$2` bytes. */
const CHANGE_OFTEN = `
${EVENT} SELECT uuidv7(), shop.to_commit_seq(pg_current_xact_id()), $1, $4, $5, now(), rpad(n::text, $2), ''
FROM generate_series(1, $3) AS n`

const APPLY = `
WITH ${moved('reader', 4)}, applied AS (
  INSERT INTO reader.applied (id, item, change)
  SELECT event.* FROM unnest($1::uuid[], $2::uuid[], $3::int[]) AS event WHERE EXISTS (SELECT FROM moved)
  ON CONFLICT (id) DO UPDATE SET times = applied.times + 1
) SELECT FROM moved`

export async function startShop() {
  const databaseUrl = await createEmptyDatabase()
  const pool = new Pool({ connectionString: databaseUrl, max: 8, options: '-c lock_timeout=1s' })
  onTestFinished(() => pool.end())
  for (const statement of SCHEMAS) await pool.query(statement)
  const logs: string[] = []
  const log = createLogger('reader', 'info', { write: (line: string) => void logs.push(line) })
  const followed = (facts: Partial<FollowedLog> = {}): FollowedLog => ({
    log: 'shop',
    schema: 'reader',
    pool,
    read: (request) => readEventLog(pool, 'shop', create(ReadEventLogRequestSchema, request)),
    apply,
    ...facts,
  })
  const apply: FollowedLog['apply'] = async (events, move) => {
    const columns = [
      events.map(({ id }) => id),
      events.map(({ organizationId }) => organizationId),
      events.map(({ body }) => body),
    ]
    return (await pool.query(APPLY, [...columns, ...moveValues(move)])).rowCount === 1
  }
  const readApplied = async (item: string) => {
    const sql = 'SELECT change, times FROM reader.applied WHERE item = $1 ORDER BY at'
    return (await pool.query<{ change: number; times: number }>(sql, [item])).rows
  }
  return {
    databaseUrl,
    pool,
    logs,
    followed,
    apply,
    follower: (facts?: Partial<FollowedLog>) => createFollower({ log }, followed(facts)),
    readApplied,
    readChanges: async (item: string) => (await readApplied(item)).map(({ change }) => change),
    /** @param changes number of changes with events, after `before` changes without. */
    async addItem(changes = 0, { before = 0 } = {}): Promise<string> {
      const id = uuidv7()
      await pool.query('INSERT INTO shop.item VALUES ($1, $2)', [id, before])
      for (let n = 0; n < changes; n++) await pool.query(CHANGE, [id])
      return id
    },
    async changeOften(item: string, { count = 1, bytes = 8, mode = 'live', type = 'item.changed' }) {
      await pool.query(CHANGE_OFTEN, [item, bytes, count, mode, type])
    },
    /** @returns a connection with an open transaction that has a transaction number. */
    async begin() {
      const client = new Client({ connectionString: databaseUrl })
      await client.connect()
      onTestFinished(() => client.end())
      await client.query('BEGIN')
      await client.query('SELECT pg_current_xact_id()')
      return client
    },
  }
}
