import { DIAGNOSTICS_LIMITS } from '@platen/resources/limits.ts'
import type { Devices } from '../devices.ts'
import { DiagnosticsEntity, EnrollmentEntity } from '../entities.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** From its expiry. */
const ENROLLMENT_KEPT_MS = 30 * DAY_MS
/** An agent that returns later learns that its credential is not valid, instead of that its computer was deleted. */
const COMPUTER_KEPT_MS = 400 * DAY_MS

/** Events of the deleted computers stay. */
const DELETE_COMPUTERS = `
WITH computer AS (
  SELECT id FROM devices.computer WHERE deleted_at <= $1 AND jobs_ended_at IS NOT NULL LIMIT 100 FOR UPDATE SKIP LOCKED
), printer AS (DELETE FROM devices.printer USING computer WHERE computer_id = computer.id)
DELETE FROM devices.computer USING computer AS old WHERE computer.id = old.id`

/** Deletes enrolment tokens that have expired, old diagnostics, and computers that were deleted long ago. */
export async function sweepEnded({ orm, pool, clock }: Pick<Devices, 'orm' | 'pool' | 'clock'>): Promise<void> {
  const em = orm.em.fork()
  const before = (ms: number) => new Date(clock.now().getTime() - ms)
  await em.nativeDelete(EnrollmentEntity, { expiresAt: { $lte: before(ENROLLMENT_KEPT_MS) } })
  await em.nativeDelete(DiagnosticsEntity, { createdAt: { $lte: before(DIAGNOSTICS_LIMITS.keptDays * DAY_MS) } })
  await pool.query(DELETE_COMPUTERS, [before(COMPUTER_KEPT_MS)])
}
