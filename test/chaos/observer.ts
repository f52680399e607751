/** The connections of the one who looks at a run from outside: never through a proxy, and not counted among what may fail. */
import { Pool, types } from 'pg'

/** A row that a paused process has locked must not hold up the one who looks. */
const STATEMENT_TIMEOUT_MS = 5_000

const BIGINT_OID = 20

export function openDatabase(url: string): Pool {
  const pool = new Pool({
    connectionString: url,
    max: 4,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    connectionTimeoutMillis: STATEMENT_TIMEOUT_MS,
    types: {
      getTypeParser: (oid, format) =>
        oid === BIGINT_OID ? Number : types.getTypeParser(oid, format === 'binary' ? 'binary' : 'text'),
    },
  })
  // PostgreSQL is restarted beneath idle connections; the next query opens a new one, or says why not.
  pool.on('error', () => undefined)
  return pool
}
