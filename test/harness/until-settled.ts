import type { ClientBase, Pool } from 'pg'
import { expect } from 'vitest'
import { waitFor } from './wait-for.ts'

const HELD_MAX_MS = 25_000

/**
 * Waits until no transaction is open that is older than this call, also none of another test's database on the same server: until then
 * a list that is read from the oldest on ends before what was written last.
 */
export async function untilSettled(database: Pool | ClientBase): Promise<void> {
  const { rows } = await database.query<{ xid: string }>('SELECT pg_current_xact_id() AS xid')
  await waitFor(async () => {
    const settled = await database.query('SELECT WHERE pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8', [
      rows[0]?.xid,
    ])
    expect(settled.rowCount).toBe(1)
  }, HELD_MAX_MS)
}
