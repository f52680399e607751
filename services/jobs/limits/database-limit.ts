/**
 * Refuses creations while the database has its maximum size, so that its disk does not become full, which would stop
 * PostgreSQL. Accepted jobs are printed. Deleted rows count until their table or partition is deleted, because
 * PostgreSQL keeps the space for new rows.
 */
import { ApiError } from '@platen/runtime/errors.ts'
import { databaseBytes, databaseMaxBytes } from '@platen/runtime/telemetry/metrics.ts'
import type { Pool } from 'pg'

const RETRY_AFTER_SECONDS = 60

export interface DatabaseLimit {
  /** @returns the refusal of a creation, if the database had reached the maximum at the last sweep. */
  check(): ApiError | undefined
  sweep(): Promise<void>
  /** @returns bytes, also of the schemas of other services. */
  measure(): Promise<{ bytes: number; maxBytes: number }>
}

/** @param maxBytes of the whole database, also of the schemas of other services. 0: without a limit. */
export function createDatabaseLimit(pool: Pool, maxBytes: number): DatabaseLimit {
  let isReached = false
  databaseMaxBytes.set(maxBytes, {})
  const measure = async () => {
    const { rows } = await pool.query<{ bytes: string }>('SELECT pg_database_size(current_database()) AS bytes')
    return Number(rows[0]?.bytes)
  }
  return {
    check: () => (isReached ? full() : undefined),
    measure: async () => ({ bytes: await measure(), maxBytes }),
    async sweep() {
      const bytes = await measure()
      databaseBytes.set(bytes, {})
      isReached = maxBytes > 0 && bytes >= maxBytes
    },
  }
}

const full = () =>
  new ApiError('storage_unavailable', 'The database of the service has too little free space. Try again later.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
