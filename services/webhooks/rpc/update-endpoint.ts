import type { UpdateEndpointRequest } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { checkUrl } from '../check-url.ts'
import { disableEndpoint } from '../disable-endpoint.ts'
import { showEndpoint } from '../endpoint-to-proto.ts'
import { findEndpoint } from '../find-endpoint.ts'
import { addGap } from '../gaps.ts'
import type { Webhooks } from '../webhooks.ts'

const ENABLED = {
  ...{ enabled: true, disabledReason: null, disabledAt: null },
  ...{ failingSince: null, lastStatusCode: null, lastError: null },
}

/**
 * Changes only the given fields. Enabling a disabled endpoint clears `disabledReason` and its failures. An unchanged
 * `enabled` changes neither of them.
 *
 * @throws ApiError `not_found`; `invalid_request` and `invalid_url` of the URL.
 */
export async function updateEndpoint(webhooks: Webhooks, request: UpdateEndpointRequest) {
  const { url, events, description, enabled, mode, endpointId } = request
  if (url !== undefined) {
    // `not_found` has precedence over errors of the URL. No transaction waits for DNS.
    await findEndpoint(webhooks.orm.em.fork(), request)
    await checkUrl(webhooks.network, url, mode)
  }
  const endpoint = await webhooks.orm.em.fork().transactional(async (em) => {
    const found = await findEndpoint(em, request, true)
    const isDisabled = enabled === false && (await disableEndpoint(em, endpointId, 'user', webhooks.clock.now()))
    if (isDisabled) await em.refresh(found)
    if (enabled && !found.enabled) await addGap(em, webhooks, endpointId)
    em.assign(found, {
      ...(url !== undefined && { url }),
      ...(events && { events: events.types }),
      ...(description && { description: description.text ?? null }),
      ...(enabled && !found.enabled && ENABLED),
    })
    return found
  })
  return { endpoint: await showEndpoint(webhooks, endpoint) }
}
