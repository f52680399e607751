import type { Devices } from '../devices.ts'

/** A request `DELETE /v1/computers/:id` waits for this call. */
const END_JOBS_TIMEOUT_MS = 2_000

const BATCH = 100

/**
 * Ends the jobs of deleted computers until the jobs service has confirmed it. The deletion itself has already revoked their credentials and
 * removed their printers.
 */
export async function sweepDeleted(devices: Devices): Promise<void> {
  const { rows } = await devices.pool.query<{ id: string }>(
    `SELECT id FROM devices.computer WHERE deleted_at IS NOT NULL AND jobs_ended_at IS NULL ORDER BY deleted_at LIMIT ${BATCH}`,
  )
  for (const { id } of rows) await endJobs(devices, id)
}

/** @throws ApiError `service_unavailable`. The sweep then retries. */
export async function endJobs(devices: Devices, computerId: string): Promise<void> {
  await devices.jobs.endComputer({ computerId }, { timeoutMs: END_JOBS_TIMEOUT_MS })
  await devices.pool.query(`UPDATE devices.computer SET jobs_ended_at = $2 WHERE id = $1`, [
    computerId,
    devices.clock.now(),
  ])
}
