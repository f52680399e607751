import type { Pool, PoolClient } from 'pg'
import { onTestFinished } from 'vitest'

/**
 * Makes changes in a transaction that stays open, so that statements that need its locks wait. The end of the test
 * commits it as well, so that a test that fails leaves no open transaction.
 *
 * @returns the call that commits it.
 */
export async function holdTransaction(
  pool: Pool,
  change: (client: PoolClient) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const client = await pool.connect()
  let isHeld = true
  const commit = async () => {
    if (!isHeld) return
    isHeld = false
    await client.query('COMMIT')
    client.release()
  }
  onTestFinished(commit)
  await client.query('BEGIN')
  await change(client)
  return commit
}
