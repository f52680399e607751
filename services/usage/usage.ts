/** Shared by all RPCs of the service. */
import type { Clock } from '@platen/runtime/clock.ts'
import type { Database, DatabaseWithLists } from '@platen/runtime/database/database.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { validate as isUuid } from 'uuid'

export interface Usage {
  orm: Database['orm']
  pool: Database['pool']
  lists: DatabaseWithLists['lists']
  clock: Clock
}

/** @throws ApiError `invalid_request` if it is not a UUID. */
export function parseOrganizationId({ organizationId }: { organizationId: string }): string {
  if (!isUuid(organizationId)) throw new ApiError('invalid_request', '`organization_id`: must be a UUID.')
  return organizationId
}
