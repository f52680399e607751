import type { Client, Pool } from 'pg'
import { expect } from 'vitest'
import { waitFor } from './wait-for.ts'

/** Waits until exactly `statements` statements of this database wait for a lock. */
export async function untilBlocked(pool: Pool | Client, statements = 1): Promise<void> {
  await waitFor(async () => {
    const blocked = await pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    expect(blocked.rowCount).toBe(statements)
  })
}
