/** Writers that commit in a different order than they insert, for tests that a reader misses no row. */
import { setTimeout as hold } from 'node:timers/promises'
import { Client } from 'pg'

const WRITERS = 16
const TRANSACTIONS_EACH = 12
const HELD_OPEN_MAX_MS = 25

/**
 * @param insert inserts one or more rows in the transaction of `client`. @returns the ids
 * @param transactionsEach number of transactions of each of the 16 writers.
 * @returns the ids of all rows in insertion order, after all commits.
 */
export async function writeOutOfOrder(
  url: string,
  insert: (client: Client) => Promise<string | string[]>,
  transactionsEach = TRANSACTIONS_EACH,
): Promise<string[]> {
  const inserted: string[] = []
  const write = async () => {
    const client = new Client({ connectionString: url })
    await client.connect()
    for (let n = 0; n < transactionsEach; n++) {
      await client.query('BEGIN')
      inserted.push(...[await insert(client)].flat())
      // Simulates remaining work of the transaction.
      await hold(Math.random() * HELD_OPEN_MAX_MS)
      await client.query('COMMIT')
    }
    await client.end()
  }
  await Promise.all(Array.from({ length: WRITERS }, write))
  return inserted
}

/** Maximum delay of a poller by open transactions of other databases on the server. */
const HELD_AFTERWARDS_MS = 20_000

/**
 * Follows a list from its beginning until all ids of `writing` were seen, or until the maximum delay shows that rows
 * were missed.
 *
 * @param readPage returns the ids of the page after a cursor, and the next cursor.
 * @returns all ids in the order in which they were read.
 */
export async function follow<Cursor>(
  writing: Promise<string[]>,
  readPage: (after: Cursor | undefined) => Promise<{ ids: string[]; next: Cursor | undefined }>,
): Promise<string[]> {
  let ended: { count: number; at: number } | undefined
  const noteEnd = writing.then(({ length }) => {
    ended = { count: length, at: performance.now() }
  })
  const seen: string[] = []
  const different = new Set<string>()
  let after: Cursor | undefined
  for (;;) {
    const complete = ended && (different.size >= ended.count || performance.now() - ended.at > HELD_AFTERWARDS_MS)
    const { ids, next } = await readPage(after)
    seen.push(...ids)
    for (const id of ids) different.add(id)
    after = next ?? after
    if (complete && ids.length === 0) break
    if (ids.length === 0) await hold(5)
  }
  await noteEnd
  return seen
}
