/** What a new connection does before its first statement. Its errors close the connection. */
import type { ClientBase } from 'pg'
import { continueCommitSeq } from './commit-seq.ts'
import { toUnavailable } from './unavailable.ts'

/**
 * Refuses a standby or read-only server: a demoted server can be reached for a while, and would answer reads with old
 * rows.
 *
 * @throws ApiError `service_unavailable`, or the error of the database.
 */
export async function prepareConnection(client: ClientBase, schema: string): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only')
  if (rows[0]?.transaction_read_only !== 'off') throw toUnavailable(new Error('the database is read-only'))
  await continueCommitSeq(client, schema)
}
