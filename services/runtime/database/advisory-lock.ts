/**
 * Serializes transactions of all replicas that count shared rows and add to them, so that each sees the rows of the
 * previous one.
 */
import type { Pool, PoolClient } from 'pg'

/**
 * Runs `take` in a transaction that holds the advisory lock `lock`, on a connection of its own.
 *
 * @param lock a name that is unique in the database.
 * @throws the error of the database or of `take`, after a rollback.
 */
export async function withAdvisoryLock<Result>(
  pool: Pool,
  lock: string,
  take: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  // The current statement also fails. An 'error' event without a listener would end the process.
  const ignore = () => undefined
  client.on('error', ignore)
  try {
    await client.query('BEGIN')
    await client.query({
      name: 'take advisory lock',
      text: 'SELECT pg_advisory_xact_lock(hashtext($1))',
      values: [lock],
    })
    const result = await take(client)
    await client.query('COMMIT')
    client.off('error', ignore)
    client.release()
    return result
  } catch (error) {
    // Closes the connection, because its state is unknown.
    client.release(true)
    throw error
  }
}
