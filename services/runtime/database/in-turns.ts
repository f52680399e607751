/** Statements that count what all replicas have in hand, and add to it: one at a time, so that each counts what the one before took. */
import type { Pool, PoolClient } from 'pg'

/**
 * Runs `take` in a transaction, on a connection of its own, after that of everybody else who names the same lock.
 *
 * @param lock a name of the whole database.
 * @throws what the database or `take` fails with; then nothing was changed.
 */
export async function inTurns<Result>(
  pool: Pool,
  lock: string,
  take: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  // The current statement fails as well, but an 'error' event without a listener would end the process.
  const ignore = () => undefined
  client.on('error', ignore)
  try {
    await client.query('BEGIN')
    await client.query({ name: 'take turns', text: 'SELECT pg_advisory_xact_lock(hashtext($1))', values: [lock] })
    const result = await take(client)
    await client.query('COMMIT')
    client.off('error', ignore)
    client.release()
    return result
  } catch (error) {
    // Whatever state it is in, the connection is not used again.
    client.release(true)
    throw error
  }
}
