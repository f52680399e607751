import { LockMode } from '@mikro-orm/core'
import type { DeleteComputerRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { currentTraceparent } from '@platen/runtime/telemetry/trace-context.ts'
import { announceDeletion } from '../agents/deletion.ts'
import { setState } from '../computer-state.ts'
import type { Devices } from '../devices.ts'
import { type Computer, ComputerEntity } from '../entities.ts'
import { logComputers, logPrinters, nextEvent } from '../events.ts'
import { endJobs } from '../timers/sweep-deleted.ts'
import { computerNotFound } from './get-computer.ts'

/**
 * Runs after the lock in a separate statement, because its snapshot must include the printers of a report that held the
 * lock.
 */
const DELETE = `
WITH deleted AS (
  UPDATE devices.computer SET deleted_at = ?, ${setState(`'offline'`)} WHERE id = ?
  RETURNING computer.*, old.state AS was
),
removed AS (
  UPDATE devices.printer SET removed_at = deleted_at, updated_at = deleted_at, state_differs_since = NULL,
    ${nextEvent('printer')}
  FROM deleted WHERE computer_id = deleted.id AND removed_at IS NULL
  RETURNING printer.*, CASE was WHEN 'online' THEN reported_state ELSE 'unknown' END AS state
),
logged_computer AS (
  ${logComputers(`SELECT deleted.*, 'computer.offline' AS type FROM deleted WHERE was = 'online'`, 'deleted_at', '?')}
),
logged_printers AS (${logPrinters(`SELECT removed.*, 'printer.removed' AS type FROM removed`, 'removed_at', '?')})
SELECT id FROM removed`

/**
 * Revokes the credential of the computer and removes its printers. The row records the remaining work: its jobs are
 * ended now if the jobs service answers, otherwise by the sweep. Reference: docs/reference/computers.md#deletion.
 *
 * @throws ApiError `not_found`, also the second time; `forbidden` for the virtual test computer.
 */
export async function deleteComputer(devices: Devices, { computerId, organizationId, mode }: DeleteComputerRequest) {
  return await removeComputer(devices, { computerId, organizationId, mode }, (computer) => {
    if (computer.mode === 'test') throw new ApiError('forbidden', 'The virtual test computer cannot be deleted.')
  })
}

interface ComputerKey {
  computerId: string
  organizationId: string
  mode: string
}

/** @param check throws if the computer must stay. */
export async function removeComputer(
  devices: Devices,
  { computerId, organizationId, mode }: ComputerKey,
  check: (computer: Pick<Computer, 'mode'>) => void = () => undefined,
) {
  const deletedAt = devices.clock.now()
  const removed = await devices.orm.em.fork().transactional(async (em) => {
    // Waits for a concurrent printer report. Later reports find the computer deleted.
    const lockMode = LockMode.PESSIMISTIC_WRITE
    const where = { id: computerId, organizationId, mode, deletedAt: null }
    const computer = await em.findOne(ComputerEntity, where, { lockMode })
    if (!computer) throw computerNotFound(mode)
    check(computer)
    const traceparent = currentTraceparent()
    return await em.execute<{ id: string }[]>(DELETE, [deletedAt, computerId, traceparent, traceparent])
  })
  devices.eventsAdded()
  devices.printers.announce({ organizationId, computerId, printerIds: removed.map(({ id }) => id) })
  announceDeletion(devices, computerId)
  await endJobs(devices, computerId).catch((error: unknown) =>
    devices.log.warn({ err: error, computer_id: computerId }, 'jobs of a deleted computer not ended, retrying'),
  )
  return {}
}
