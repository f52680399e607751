import { EnrollmentSchema, type ListEnrollmentsRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { afterCursor, pageOptions } from '@platen/runtime/database/list-page.ts'
import { rowToMessage } from '@platen/runtime/database/row-to-message.ts'
import { endPage } from '@platen/runtime/paging.ts'
import type { Devices } from '../devices.ts'
import { EnrollmentEntity } from '../entities.ts'

/** Lists enrolment tokens, also expired and used-up ones. Test mode has none. */
export async function listEnrollments({ orm }: Devices, { organizationId, mode, page }: ListEnrollmentsRequest) {
  if (mode !== 'live') return {}
  const where = { organizationId, ...afterCursor('devices', page) }
  const { rows, end } = endPage(page, await orm.em.fork().find(EnrollmentEntity, where, pageOptions(page)))
  return { enrollments: rows.map((row) => rowToMessage(EnrollmentSchema, row)), end }
}
