import { LockMode } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import { ApiError } from '@platen/runtime/errors.ts'
import { type Endpoint, EndpointEntity } from './entities.ts'

/** As in every request: the endpoint, and whose it must be. */
export interface EndpointKey {
  organizationId: string
  mode: string
  endpointId: string
}

/**
 * @param lock who else takes it, or changes the endpoint, waits for the end of this transaction.
 * @throws ApiError `not_found` also for an endpoint of another organization or mode.
 */
export async function findEndpoint(
  em: EntityManager,
  { organizationId, mode, endpointId }: EndpointKey,
  lock = false,
): Promise<Endpoint> {
  const lockMode = lock ? LockMode.PESSIMISTIC_WRITE : LockMode.NONE
  const endpoint = await em.findOne(EndpointEntity, { id: endpointId, organizationId, mode }, { lockMode })
  if (!endpoint) throw noSuchEndpoint()
  return endpoint
}

export const endpointDisabled = () =>
  new ApiError('endpoint_disabled', 'This webhook endpoint is disabled. Enable it first, by a `PATCH` with `enabled`.')

export const noSuchEndpoint = () => new ApiError('not_found', 'There is no webhook endpoint with this id.')
