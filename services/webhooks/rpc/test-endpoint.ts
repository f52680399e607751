import type { TestEndpointRequest } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { exampleEvent } from '@platen/resources/event-examples.ts'
import type { EventType } from '@platen/resources/event-types.ts'
import { v7 as uuidv7 } from 'uuid'
import { deliveryToProto } from '../delivery-to-proto.ts'
import { DeliveryEntity } from '../entities.ts'
import { endpointDisabled, findEndpoint } from '../find-endpoint.ts'
import type { Webhooks } from '../webhooks.ts'

/**
 * Adds a delivery with an example, due immediately. It is signed, retried and listed like others, but the feed does not
 * contain its event.
 *
 * @throws ApiError `not_found`, `endpoint_disabled`.
 */
export async function testEndpoint(webhooks: Webhooks, request: TestEndpointRequest) {
  const { mode, type } = request
  const delivery = await webhooks.orm.em.fork().transactional(async (em) => {
    // The lock makes a concurrent `disableEndpoint` wait for the delivery.
    const endpoint = await findEndpoint(em, request, true)
    if (!endpoint.enabled) throw endpointDisabled()
    const eventType = (type === '' ? endpoint.events[0] : type) as EventType
    const eventId = uuidv7()
    const now = webhooks.clock.now()
    const example = { ...exampleEvent(eventType, mode as 'live' | 'test'), id: eventId, timestamp: now.toISOString() }
    return em.create(DeliveryEntity, {
      id: uuidv7(),
      endpointId: endpoint.id,
      eventId,
      eventType,
      status: 'pending',
      trigger: 'test',
      nextAttemptAt: now,
      dueAt: now,
      lastStatusCode: null,
      lastError: null,
      example: JSON.stringify(example),
      createdAt: now,
      deliveredAt: null,
    })
  })
  webhooks.deliveriesAdded([delivery.endpointId])
  return { delivery: deliveryToProto({ ...delivery, job: null }) }
}
