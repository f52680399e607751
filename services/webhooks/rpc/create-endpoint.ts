import type { CreateEndpointRequest } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { WEBHOOK_LIMITS } from '@platen/resources/limits.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { v7 as uuidv7 } from 'uuid'
import { checkUrl } from '../check-url.ts'
import { makeSecret } from '../delivery/sign.ts'
import { showEndpoint } from '../endpoint-to-proto.ts'
import { EndpointEntity, SecretEntity } from '../entities.ts'
import type { Webhooks } from '../webhooks.ts'

/** Serializes creations of one organization and mode, so that concurrent creations cannot exceed the limit. */
const LOCK = 'SELECT pg_advisory_xact_lock(hashtextextended(?, 0))'

/**
 * The gateway validates all fields except the URL. Only this response contains the secret.
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
  const encrypted = webhooks.secretBox.encrypt(id, secret)
  const createdAt = webhooks.clock.now()
  const endpoint = await webhooks.orm.em.fork().transactional(async (em) => {
    await em.execute(LOCK, [`platen webhooks.endpoint ${organizationId} ${mode}`])
    if ((await em.count(EndpointEntity, { organizationId, mode })) >= WEBHOOK_LIMITS.endpointsMax)
      throw new ApiError(
        'limit_reached',
        `An organization has at most ${WEBHOOK_LIMITS.endpointsMax} webhook endpoints in ${mode} mode. Delete one first.`,
      )
    const facts = { organizationId, mode, url, events, description: description ?? null }
    const created = em.create(EndpointEntity, {
      id,
      ...facts,
      enabled: true,
      disabledReason: null,
      disabledAt: null,
      failingSince: null,
      lastStatusCode: null,
      lastError: null,
      createdAt,
    })
    em.create(SecretEntity, { id: uuidv7(), endpoint: created, encrypted, createdAt, expiresAt: null })
    return created
  })
  return { endpoint: await showEndpoint(webhooks, endpoint), secret }
}
