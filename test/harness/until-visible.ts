import type { ClientBase, Pool } from 'pg'
import { expect } from 'vitest'
import { waitFor } from './wait-for.ts'

const HELD_MAX_MS = 25_000

/**
 * Waits until all transactions that are older than this call have ended, in all databases of the server. Before that, a
 * list read in ascending order can end before the last row.
 */
export async function untilVisible(database: Pool | ClientBase): Promise<void> {
  const { rows } = await database.query<{ xid: string }>('SELECT pg_current_xact_id() AS xid')
  await waitFor(async () => {
    const ended = await database.query('SELECT WHERE pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8', [
      rows[0]?.xid,
    ])
    expect(ended.rowCount).toBe(1)
  }, HELD_MAX_MS)
}
