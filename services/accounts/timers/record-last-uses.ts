import type { Accounts } from '../accounts.ts'

/**
 * Writes all uses since the last run by one statement, and of each key one a minute at most: people ask which key is still in use, not
 * for its requests. A row that another replica holds at the moment is passed over, since that one is writing the same; so two
 * replicas never wait for each other.
 */
const RECORD_USES = `
WITH used AS (SELECT * FROM unnest($1::uuid[], $2::timestamptz[]) AS used (id, at)),
due AS (
  SELECT api_key.id, used.at FROM accounts.api_key JOIN used USING (id)
  WHERE last_used_at IS NULL OR last_used_at <= used.at - interval '1 minute'
  FOR UPDATE OF api_key SKIP LOCKED
)
UPDATE accounts.api_key SET last_used_at = due.at FROM due WHERE api_key.id = due.id`

/** Gateways ask for a key that is in use at least every 5 s, so each verification is a use. A crash loses the last run's. */
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
