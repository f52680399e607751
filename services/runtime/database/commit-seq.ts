/**
 * Commit sequence: the column `commit_seq` orders the rows of a list so that a reader with a cursor misses no row.
 *
 * Ids and timestamps are generated before the commit, so a row can become visible behind the cursor of a reader. `commit_seq` is the number
 * of the inserting transaction. Readers that follow a list read only rows below `visibleBefore`: all transactions below it have ended, so no
 * further row can appear there. Rows above it wait for the oldest open transaction of any service. Statements and transactions of services
 * end after 10 s (`connection-settings.ts`); migrations can take longer.
 *
 * Transaction numbers belong to a PostgreSQL cluster. Physical copies and `pg_upgrade` keep them. A dump restored into a new cluster meets
 * lower numbers, so `continueCommitSeq` adds an offset above the restored rows.
 */
import { type ClientBase, escapeIdentifier } from 'pg'

/** Exceeds the cursors of readers that have seen rows newer than the dump. */
const GAP = 2n ** 32n

const commitSeqFunction = (schema: string, added: bigint) => `
CREATE OR REPLACE FUNCTION ${escapeIdentifier(schema)}.to_commit_seq(transaction xid8) RETURNS bigint
IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$ SELECT transaction::text::bigint + ${added} $$`

/**
 * Migration statements that precede the first listed table of the schema. Listed tables have the column
 * `commit_seq bigint NOT NULL DEFAULT <schema>.to_commit_seq(pg_current_xact_id())`.
 */
export function createCommitSeq(schema: string): string[] {
  const name = escapeIdentifier(schema)
  return [
    commitSeqFunction(schema, 0n),
    // The cluster for which `to_commit_seq` was defined.
    `CREATE TABLE ${name}.commit_seq_origin (system_identifier bigint NOT NULL)`,
    `INSERT INTO ${name}.commit_seq_origin SELECT system_identifier FROM pg_control_system()`,
  ]
}

/** SQL: all transactions below this value are committed or rolled back. */
export const visibleBefore = (schema: string) =>
  `${escapeIdentifier(schema)}.to_commit_seq(pg_snapshot_xmin(pg_current_snapshot()))`

/**
 * Defines a new offset after the data was restored into another cluster. `migrate` calls it at each start in a transaction, before any
 * insert and by one replica at a time. Scans whole tables only after such a restore.
 */
export async function continueCommitSeq(client: ClientBase, schema: string): Promise<void> {
  const tables = await findTables(client, schema)
  if (tables.length > 0 && (await hasMoved(client, schema))) await setOffset(client, schema, tables)
}

async function findTables(client: ClientBase, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.columns
     WHERE table_schema = $1 AND column_name = 'commit_seq'`,
    [schema],
  )
  return rows.map(({ name }) => name)
}

async function hasMoved(client: ClientBase, schema: string): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT FROM ${escapeIdentifier(schema)}.commit_seq_origin AS origin, pg_control_system() AS here
     WHERE origin.system_identifier <> here.system_identifier`,
  )
  return rows.length > 0
}

async function setOffset(client: ClientBase, schema: string, tables: string[]): Promise<void> {
  const maxima = tables.map((table) => `SELECT max(commit_seq) AS commit_seq FROM ${table}`).join(' UNION ALL ')
  const { rows } = await client.query<{ highest: string; next: string }>(
    `SELECT COALESCE(max(commit_seq), 0) AS highest, pg_snapshot_xmax(pg_current_snapshot())::text AS next
     FROM (${maxima}) AS of_tables`,
  )
  const [row] = rows
  if (!row) return
  await client.query(commitSeqFunction(schema, BigInt(row.highest) + GAP - BigInt(row.next)))
  await client.query(
    `UPDATE ${escapeIdentifier(schema)}.commit_seq_origin SET system_identifier = here.system_identifier
     FROM pg_control_system() AS here`,
  )
}
