/**
 * A place for each row of a list, in an order that a reader can follow from row to row without missing one.
 *
 * Ids and timestamps are made before a row is committed, so a row can appear behind a reader who has gone on. The place of a row is the
 * number of the transaction that inserted it, and a reader who follows a list reads only places below `settled`: every transaction
 * below it is over, so no row can appear there any more. What is above it waits for the oldest transaction that is still open, of any
 * service: statements and open transactions of ours end after 10 s (`connection-settings.ts`), migrations can take longer.
 *
 * Numbers of transactions belong to a cluster of PostgreSQL. Physical copies and `pg_upgrade` keep them; a dump that is loaded into a new
 * cluster meets younger ones, so `continuePlaces` goes on above what was loaded.
 */
import { type Client, escapeIdentifier } from 'pg'

/** Far above what pollers may have seen of rows that a dump does not have. */
const GAP = 2n ** 32n

const placeFunction = (schema: string, added: bigint) => `
CREATE OR REPLACE FUNCTION ${escapeIdentifier(schema)}.place_of(transaction xid8) RETURNS bigint
IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$ SELECT transaction::text::bigint + ${added} $$`

/**
 * The statements of a migration, before the first table of the schema that is listed. Such a table has the column
 * `list_place bigint NOT NULL DEFAULT <schema>.place_of(pg_current_xact_id())`.
 */
export function createPlaces(schema: string): string[] {
  const name = escapeIdentifier(schema)
  return [
    placeFunction(schema, 0n),
    // Of the cluster in which the places that `place_of` gives began.
    `CREATE TABLE ${name}.place_origin (system_identifier bigint NOT NULL)`,
    `INSERT INTO ${name}.place_origin SELECT system_identifier FROM pg_control_system()`,
  ]
}

/** SQL: below this place everything has been committed or given up. */
export const settled = (schema: string) =>
  `${escapeIdentifier(schema)}.place_of(pg_snapshot_xmin(pg_current_snapshot()))`

/**
 * Called at each start, before anything is inserted, by one replica at a time, in a transaction. Reads a whole table only after the data has
 * come to another cluster.
 */
export async function continuePlaces(client: Client, schema: string): Promise<void> {
  const tables = await tablesWithPlaces(client, schema)
  if (tables.length > 0 && (await hasMoved(client, schema))) await goOnAbove(client, schema, tables)
}

async function tablesWithPlaces(client: Client, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.columns
     WHERE table_schema = $1 AND column_name = 'list_place'`,
    [schema],
  )
  return rows.map(({ name }) => name)
}

async function hasMoved(client: Client, schema: string): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT FROM ${escapeIdentifier(schema)}.place_origin AS origin, pg_control_system() AS here
     WHERE origin.system_identifier <> here.system_identifier`,
  )
  return rows.length > 0
}

async function goOnAbove(client: Client, schema: string, tables: string[]): Promise<void> {
  const places = tables.map((table) => `SELECT max(list_place) AS place FROM ${table}`).join(' UNION ALL ')
  const { rows } = await client.query<{ highest: string; next: string }>(
    `SELECT COALESCE(max(place), 0) AS highest, pg_snapshot_xmax(pg_current_snapshot())::text AS next
     FROM (${places}) AS of_tables`,
  )
  const [found] = rows
  if (!found) return
  await client.query(placeFunction(schema, BigInt(found.highest) + GAP - BigInt(found.next)))
  await client.query(
    `UPDATE ${escapeIdentifier(schema)}.place_origin SET system_identifier = here.system_identifier
     FROM pg_control_system() AS here`,
  )
}
