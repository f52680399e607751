import type { Devices } from '../devices.ts'

/** Many agents can be lost together. */
const BATCH = 500
const REPORT_TIMEOUT_MS = 5_000

/**
 * Raises the epoch, so that no stream has it. The jobs service fences the lost stream by it and ignores the loss after
 * a newer hello. A hello resets `lost_at`.
 */
const MARK = `
UPDATE devices.computer SET lost_at = $1, epoch = epoch + 1 WHERE id IN (
  SELECT id FROM devices.computer
  WHERE state = 'offline' AND lost_at IS NULL AND deleted_at IS NULL AND last_seen_at <= $2
  ORDER BY last_seen_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`

const MARKED = `
SELECT id, epoch FROM devices.computer
WHERE lost_at IS NOT NULL AND lost_reported_at IS NULL ORDER BY lost_at LIMIT ${BATCH}`

const REPORTED = `
UPDATE devices.computer SET lost_reported_at = $2 FROM jsonb_to_recordset($1) AS reported (id uuid, epoch bigint)
WHERE computer.id = reported.id AND computer.epoch = reported.epoch`

/**
 * Marks agents of computers that have been offline for too long as lost, and ends the jobs that they had received. The
 * mark stays in the row of the computer until the jobs service has confirmed the call.
 *
 * @param lostAfterMs since the last message of the agent.
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
  await jobs.endLostAgents({ agents }, { timeoutMs: REPORT_TIMEOUT_MS })
  await pool.query(REPORTED, [JSON.stringify(rows), now])
}
