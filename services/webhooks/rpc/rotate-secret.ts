import type { RotateSecretRequest } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { WEBHOOK_LIMITS } from '@platen/resources/limits.ts'
import { v7 as uuidv7 } from 'uuid'
import { makeSecret } from '../delivery/sign.ts'
import { showEndpoint } from '../endpoint-to-proto.ts'
import { SecretEntity } from '../entities.ts'
import { findEndpoint } from '../find-endpoint.ts'
import type { Webhooks } from '../webhooks.ts'

/**
 * Earlier secrets expire at the end of this grace period or of their own, whichever is first. Only the newest of them
 * are kept. Concurrent rotations are serialized. Only this response contains the new secret.
 *
 * @throws ApiError `not_found`.
 */
export async function rotateSecret(webhooks: Webhooks, request: RotateSecretRequest) {
  const secret = makeSecret()
  const encrypted = webhooks.secretBox.encrypt(request.endpointId, secret)
  const endpoint = await webhooks.orm.em.fork().transactional(async (em) => {
    const found = await findEndpoint(em, request, true)
    const createdAt = webhooks.clock.now()
    const graceEnds = new Date(createdAt.getTime() + request.graceSeconds * 1000)
    const earlier = await em.find(SecretEntity, { endpoint: found }, { orderBy: { id: 'desc' } })
    for (const [n, previous] of earlier.entries()) {
      if (!previous.expiresAt || previous.expiresAt > graceEnds) previous.expiresAt = graceEnds
      if (n >= WEBHOOK_LIMITS.earlierSecretsMax || previous.expiresAt <= createdAt) em.remove(previous)
    }
    // The previous secret must get its end before the new one is inserted (`secret_present`).
    await em.flush()
    em.create(SecretEntity, { id: uuidv7(), endpoint: found, encrypted, createdAt, expiresAt: null })
    return found
  })
  return { endpoint: await showEndpoint(webhooks, endpoint), secret }
}
