import { LockMode } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import { ApiError } from '@platen/runtime/errors.ts'
import { type Endpoint, EndpointEntity } from './entities.ts'

export interface EndpointKey {
  organizationId: string
  mode: string
  endpointId: string
}

/**
 * @param lock other locks and changes of the endpoint wait for the end of this transaction.
 * @throws ApiError `not_found`, also for an endpoint of another organization or mode.
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
  new ApiError(
    'endpoint_disabled',
    'This webhook endpoint is disabled. Enable it first: `PATCH` with `{"enabled": true}`.',
  )

export const noSuchEndpoint = () => new ApiError('not_found', 'There is no webhook endpoint with this id.')
