import type { CreateEndpointRequest } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { v7 as uuidv7 } from 'uuid'
import { checkUrl } from '../check-url.ts'
import { endpointToProto } from '../endpoint-to-proto.ts'
import { EndpointEntity, SecretEntity } from '../entities.ts'
import { makeSecret } from '../secrets.ts'
import type { Webhooks } from '../webhooks.ts'

/** Per organization and mode. Reference: docs/reference/webhooks.md#webhook.limit.20. */
export const ENDPOINTS_MAX = 20

/** Creations of one organization and mode come one after the other, so that two at once cannot both be the last that fits. */
const TAKE_TURNS = 'SELECT pg_advisory_xact_lock(hashtextextended(?, 0))'

/**
 * The fields are the gateway's to judge, but for the URL. The answer is the only one that has the secret.
 *
 * @throws ApiError `invalid_request` and `invalid_url` of the URL; `limit_reached`.
 */
export async function createEndpoint(
  webhooks: Webhooks,
  { organizationId, mode, url, events, description }: CreateEndpointRequest,
) {
  await checkUrl(webhooks.network, url, mode)
  const id = uuidv7()
  const secret = makeSecret()
  const sealed = webhooks.seal.seal(id, secret)
  const createdAt = webhooks.clock.now()
  const endpoint = await webhooks.orm.em.fork().transactional(async (em) => {
    await em.execute(TAKE_TURNS, [`platen webhooks.endpoint ${organizationId} ${mode}`])
    if ((await em.count(EndpointEntity, { organizationId, mode })) >= ENDPOINTS_MAX)
      throw new ApiError(
        'limit_reached',
        `There are ${ENDPOINTS_MAX} webhook endpoints already, as many as there may be in ${mode} mode. Delete one first.`,
      )
    const facts = { organizationId, mode, url, events, description: description ?? null }
    const made = em.create(EndpointEntity, {
      id,
      ...facts,
      enabled: true,
      disabledReason: null,
      failingSince: null,
      createdAt,
    })
    em.create(SecretEntity, { id: uuidv7(), endpoint: made, sealed, createdAt, expiresAt: null })
    return made
  })
  return { endpoint: endpointToProto(endpoint), secret }
}
