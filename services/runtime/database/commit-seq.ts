/**
 * Commit sequence: the column `commit_seq` orders the rows of a list so that a reader with a cursor misses no row.
 *
 * Ids and timestamps are generated before the commit, so a row can become visible behind the cursor of a reader.
 * `commit_seq` grows with the number of the inserting transaction. Readers that follow a list read only rows below
 * `visibleBefore`: all transactions below it have ended, so no further row can appear there. Rows above it wait for the
 * oldest open transaction of any service. Statements and transactions of services end after 10 s
 * (`connection-settings.ts`); migrations can take longer.
 *
 * PostgreSQL can use a transaction number again: a promoted standby that lacks the last transactions, a recovery to a
 * point in time, a new cluster with a restored dump. Each is a new process of the server. So `commit_seq` is the number
 * of transactions since the first connection to this process, added to the time of that connection in microseconds. It
 * exceeds every cursor that a reader can hold, because a server makes less than one transaction per microsecond. Each
 * connection calls `continueCommitSeq` before its first statement.
 */
import { type ClientBase, escapeIdentifier } from 'pg'

/**
 * Migration statements that precede the first listed table of the schema. Listed tables have the column
 * `commit_seq bigint NOT NULL DEFAULT <schema>.to_commit_seq(pg_current_xact_id())`.
 */
export function createCommitSeq(schema: string): string[] {
  return [
    commitSeqFunction(schema, '0'),
    // Release 0.1.0 stored the cluster for which `to_commit_seq` was defined, and still reads it after a rollback.
    `CREATE TABLE ${escapeIdentifier(schema)}.commit_seq_origin (system_identifier bigint NOT NULL)`,
    `INSERT INTO ${escapeIdentifier(schema)}.commit_seq_origin SELECT system_identifier FROM pg_control_system()`,
  ]
}

/**
 * Migration statements after `createCommitSeq`: the server process for which `to_commit_seq` was defined, by its start.
 * In the cluster of release 0.1.0 that is the present process, so that the definition does not change during an
 * upgrade: rows of open transactions of 0.1.0 would otherwise commit below positions that readers have already passed.
 */
export function continueByProcess(schema: string): string[] {
  const origin = `${escapeIdentifier(schema)}.commit_seq_origin`
  return [
    `ALTER TABLE ${origin} ADD COLUMN started_at timestamptz NOT NULL DEFAULT '-infinity'`,
    `UPDATE ${origin} AS origin SET started_at = pg_postmaster_start_time()
     FROM pg_control_system() AS here WHERE here.system_identifier = origin.system_identifier`,
  ]
}

const commitSeqFunction = (schema: string, added: string) => `
CREATE OR REPLACE FUNCTION ${escapeIdentifier(schema)}.to_commit_seq(transaction xid8) RETURNS bigint
IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$ SELECT transaction::text::bigint + ${added} $$`

/** SQL: all transactions below this value are committed or rolled back. */
export const visibleBefore = (schema: string) =>
  `${escapeIdentifier(schema)}.to_commit_seq(pg_snapshot_xmin(pg_current_snapshot()))`

/** The lock of the schema's definitions, held until the end of the transaction. */
export const lockSchema = (client: ClientBase, schema: string) =>
  client.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`platen migrate ${schema}`])

/** Adapts `to_commit_seq` to another process of the server, once. Does nothing in a schema without lists. */
export async function continueCommitSeq(client: ClientBase, schema: string): Promise<void> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_attribute WHERE attrelid = to_regclass($1) AND attname = 'started_at'`,
    [`${escapeIdentifier(schema)}.commit_seq_origin`],
  )
  if (rowCount === 0 || !(await isOtherProcess(client, schema))) return
  await client.query('BEGIN')
  await lockSchema(client, schema)
  if (await isOtherProcess(client, schema)) await redefine(client, schema)
  await client.query('COMMIT')
}

async function isOtherProcess(client: ClientBase, schema: string): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT FROM ${escapeIdentifier(schema)}.commit_seq_origin WHERE started_at <> pg_postmaster_start_time()`,
  )
  return rows.length > 0
}

async function redefine(client: ClientBase, schema: string): Promise<void> {
  // The last offset is greater if the clock was set back.
  const { rows } = await client.query<{ added: string }>(
    `SELECT GREATEST(
       (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
         - pg_snapshot_xmax(pg_current_snapshot())::text::bigint,
       ${escapeIdentifier(schema)}.to_commit_seq('0'::xid8)
     ) AS added`,
  )
  await client.query(commitSeqFunction(schema, rows[0]?.added ?? '0'))
  await client.query(`UPDATE ${escapeIdentifier(schema)}.commit_seq_origin SET started_at = pg_postmaster_start_time()`)
}
