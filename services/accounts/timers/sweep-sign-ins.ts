import type { Accounts } from '../accounts.ts'
import { getValidityStarts, isValidSql } from '../sessions.ts'

const DAY_MS = 24 * 60 * 60_000

/** The lifetime that browsers limit cookies to. */
const KNOWN_BROWSER_MS = 400 * DAY_MS

/** Deletes what has expired. It is not accepted anyway. */
export async function sweepSignIns(accounts: Accounts): Promise<void> {
  const { pool, clock } = accounts
  const now = clock.now()
  const before = (ms: number) => new Date(now.getTime() - ms)
  await pool.query(`DELETE FROM accounts.session WHERE NOT ${isValidSql('$1', '$2')}`, getValidityStarts(accounts))
  await pool.query('DELETE FROM accounts.sign_in WHERE expires_at <= $1', [now])
  await pool.query('DELETE FROM accounts.sign_in_count WHERE period_start <= $1', [before(DAY_MS)])
  await pool.query('DELETE FROM accounts.known_browser WHERE last_used_at <= $1', [before(KNOWN_BROWSER_MS)])
}
