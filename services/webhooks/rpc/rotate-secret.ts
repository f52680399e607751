import type { RotateSecretRequest } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { v7 as uuidv7 } from 'uuid'
import { endpointToProto } from '../endpoint-to-proto.ts'
import { SecretEntity } from '../entities.ts'
import { findEndpoint } from '../find-endpoint.ts'
import { makeSecret } from '../secrets.ts'
import type { Webhooks } from '../webhooks.ts'

/** Besides the current one. Each adds a signature to the header of every delivery (docs/reference/webhooks.md#secrets). */
export const EARLIER_SECRETS_MAX = 4

/**
 * No secret so far signs for longer than the grace that is given now; of those whose grace goes on the newest are kept. Two rotations at
 * once come one after the other. The answer is the only one that has the new secret.
 *
 * @throws ApiError `not_found`.
 */
export async function rotateSecret(webhooks: Webhooks, request: RotateSecretRequest) {
  const secret = makeSecret()
  const sealed = webhooks.seal.seal(request.endpointId, secret)
  const endpoint = await webhooks.orm.em.fork().transactional(async (em) => {
    const found = await findEndpoint(em, request, true)
    const createdAt = webhooks.clock.now()
    const graceEnds = new Date(createdAt.getTime() + request.graceSeconds * 1000)
    const earlier = await em.find(SecretEntity, { endpoint: found }, { orderBy: { id: 'desc' } })
    for (const [n, one] of earlier.entries()) {
      if (!one.expiresAt || one.expiresAt > graceEnds) one.expiresAt = graceEnds
      if (n >= EARLIER_SECRETS_MAX || one.expiresAt <= createdAt) em.remove(one)
    }
    // Before the new one comes: there is one without an end at any time.
    await em.flush()
    em.create(SecretEntity, { id: uuidv7(), endpoint: found, sealed, createdAt, expiresAt: null })
    return found
  })
  return { endpoint: endpointToProto(endpoint), secret }
}
