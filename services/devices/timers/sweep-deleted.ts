import type { Devices } from '../devices.ts'

/** Somebody may be waiting for the answer to a DELETE. */
const END_WITHIN_MS = 2_000

const BATCH = 100

/**
 * Tells the jobs service of deleted computers until it has heard. That is all there is to do: their credentials and printers went with
 * the row's change.
 */
export async function sweepDeleted(devices: Devices): Promise<void> {
  const { rows } = await devices.pool.query<{ id: string }>(
    `SELECT id FROM devices.computer WHERE deleted_at IS NOT NULL AND jobs_ended_at IS NULL ORDER BY deleted_at LIMIT ${BATCH}`,
  )
  for (const { id } of rows) await endJobsOf(devices, id)
}

/** @throws ApiError `service_unavailable`; the sweep then tries again. */
export async function endJobsOf(devices: Devices, computerId: string): Promise<void> {
  await devices.jobs.endComputer({ computerId }, { timeoutMs: END_WITHIN_MS })
  await devices.pool.query(`UPDATE devices.computer SET jobs_ended_at = $2 WHERE id = $1`, [
    computerId,
    devices.clock.now(),
  ])
}
