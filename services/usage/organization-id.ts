import { ApiError } from '@platen/runtime/errors.ts'
import { validate as isUuid } from 'uuid'

/** @throws ApiError `invalid_request` if it is not a UUID. */
export function parseOrganizationId({ organizationId }: { organizationId: string }): string {
  if (!isUuid(organizationId)) throw new ApiError('invalid_request', 'organization_id must be a UUID.')
  return organizationId
}
