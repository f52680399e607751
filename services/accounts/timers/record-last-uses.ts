import type { Accounts, UsedTable } from '../accounts.ts'

/**
 * Writes all uses since the last run by one statement, at most once per minute and row. Skips locked rows, because
 * another replica is writing the same. Replicas do not wait for each other.
 */
const recordUses = (table: UsedTable) => `
WITH used AS (SELECT * FROM unnest($1::uuid[], $2::timestamptz[]) AS used (id, at)),
due AS (
  SELECT ${table}.id, used.at FROM accounts.${table} JOIN used USING (id)
  WHERE last_used_at IS NULL OR last_used_at <= used.at - interval '1 minute'
  FOR UPDATE OF ${table} SKIP LOCKED
)
UPDATE accounts.${table} SET last_used_at = due.at FROM due WHERE ${table}.id = due.id`

/**
 * Each verification is a use, because gateways verify a used key and a used session at least every 5 s. A crash loses
 * the unwritten uses.
 */
export async function recordLastUses({ pool, lastUses }: Pick<Accounts, 'pool' | 'lastUses'>): Promise<void> {
  for (const table of ['api_key', 'session'] as const) {
    const uses = [...lastUses[table]]
    if (uses.length === 0) continue
    lastUses[table].clear()
    await pool.query({
      name: `record uses ${table}`,
      text: recordUses(table),
      values: [uses.map(([id]) => id), uses.map(([, at]) => at)],
    })
  }
}
