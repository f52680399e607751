import type { Move } from '@platen/runtime/event-log/follow.ts'
import type { Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'

/** A cursor move for applying events without the followers of the service. Uses a cursor of its own. */
export async function newMove(pool: Pick<Pool, 'query'>, schema: string): Promise<Move> {
  const log = uuidv7()
  await pool.query(`INSERT INTO ${schema}.log_cursor (log) VALUES ($1)`, [log])
  return { log, from: { commitSeq: 0n, number: 0n }, to: { commitSeq: 1n, number: 0n } }
}
