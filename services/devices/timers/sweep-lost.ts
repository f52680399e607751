import type { Devices } from '../devices.ts'

/** Many may have gone away together. */
const BATCH = 500
const TELL_WITHIN_MS = 5_000

/**
 * The epoch is raised, so that no stream has it: jobs fences the lost one off by it, and knows a newer hello when it comes first. A hello
 * takes the mark away.
 */
const MARK = `
UPDATE devices.computer SET lost_at = $1, epoch = epoch + 1 WHERE id IN (
  SELECT id FROM devices.computer
  WHERE state = 'offline' AND lost_at IS NULL AND deleted_at IS NULL AND last_seen_at <= $2
  ORDER BY last_seen_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`

const MARKED = `
SELECT id, epoch FROM devices.computer WHERE lost_at IS NOT NULL AND lost_told_at IS NULL ORDER BY lost_at LIMIT ${BATCH}`

const TOLD = `
UPDATE devices.computer SET lost_told_at = $2 FROM jsonb_to_recordset($1) AS told (id uuid, epoch bigint)
WHERE computer.id = told.id AND computer.epoch = told.epoch`

/**
 * Gives up the agents of computers that have been offline for too long: what they had received ends. What is left to do stands in the
 * computers' rows until the jobs service has heard of it.
 *
 * @param lostAfterMs since the computer was last heard.
 */
export async function sweepLost(
  { pool, clock, jobs }: Pick<Devices, 'pool' | 'clock' | 'jobs'>,
  lostAfterMs: number,
): Promise<void> {
  const now = clock.now()
  await pool.query(MARK, [now, new Date(now.getTime() - lostAfterMs)])
  const { rows } = await pool.query<{ id: string; epoch: string }>(MARKED)
  if (rows.length === 0) return
  const agents = rows.map(({ id, epoch }) => ({ computerId: id, epoch: BigInt(epoch) }))
  await jobs.endLostAgents({ agents }, { timeoutMs: TELL_WITHIN_MS })
  await pool.query(TOLD, [JSON.stringify(rows), now])
}
