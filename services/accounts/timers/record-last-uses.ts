import type { Accounts } from '../accounts.ts'

/**
 * Writes all uses since the last run by one statement, at most once per minute and key. Skips locked rows, because another replica is writing
 * the same. Replicas do not wait for each other.
 */
const RECORD_USES = `
WITH used AS (SELECT * FROM unnest($1::uuid[], $2::timestamptz[]) AS used (id, at)),
due AS (
  SELECT api_key.id, used.at FROM accounts.api_key JOIN used USING (id)
  WHERE last_used_at IS NULL OR last_used_at <= used.at - interval '1 minute'
  FOR UPDATE OF api_key SKIP LOCKED
)
UPDATE accounts.api_key SET last_used_at = due.at FROM due WHERE api_key.id = due.id`

/** Each verification is a use, because gateways verify a used key at least every 5 s. A crash loses the unwritten uses. */
export async function recordLastUses({ pool, lastUses }: Pick<Accounts, 'pool' | 'lastUses'>): Promise<void> {
  if (lastUses.size === 0) return
  const uses = [...lastUses]
  lastUses.clear()
  await pool.query({
    name: 'record uses',
    text: RECORD_USES,
    values: [uses.map(([id]) => id), uses.map(([, at]) => at)],
  })
}
