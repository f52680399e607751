/** What stands for the webhooks service's deliveries behind a gateway under test: each endpoint has the same one. */
import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  type DeliveriesService,
  type Delivery,
  DeliverySchema,
  type ListDeliveriesRequest,
  type ReplayDeliveriesRequest,
} from '@platen/proto/gen/platen/webhooks/v1/deliveries_pb.ts'
import type { Endpoint } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { exampleEvent } from '@platen/resources/event-examples.ts'
import { ApiError, type ErrorCode } from '@platen/runtime/errors.ts'
import { packPlace } from '@platen/runtime/paging.ts'
import { AT, PLACE } from './start-test-services.ts'

export const DELIVERY_ID = '01890a5d-0000-7000-8000-000000000013'
export const PAYLOAD = exampleEvent('printjob.done', 'test')

interface DeliveriesState {
  endpoints: Endpoint[]
  listedDeliveries: ListDeliveriesRequest[]
  rangeReplays: ReplayDeliveriesRequest[]
  /** What both replays fail with. */
  replayError: ErrorCode | undefined
  /** Whether the event of the delivery is still kept. */
  hasPayload: boolean
}

export const deliveriesState = (): Omit<DeliveriesState, 'endpoints'> => ({
  listedDeliveries: [],
  rangeReplays: [],
  replayError: undefined,
  hasPayload: true,
})

export function testDeliveries(state: DeliveriesState): ServiceImpl<typeof DeliveriesService> {
  function ofEndpoint(key: { organizationId: string; mode: string; endpointId: string }): Delivery {
    const is = (one: Endpoint) => one.id === key.endpointId && one.organizationId === key.organizationId
    if (!state.endpoints.some((one) => is(one) && one.mode === key.mode))
      throw new ApiError('not_found', 'There is no webhook endpoint with this id.')
    return create(DeliverySchema, {
      id: DELIVERY_ID,
      endpointId: key.endpointId,
      eventId: PAYLOAD.id,
      eventType: 'printjob.done',
      status: 'failed',
      attempts: 8,
      lastStatusCode: 503,
      lastError: 'status',
      createdAt: timestampFromDate(AT),
    })
  }
  function find({ deliveryId, ...key }: { deliveryId: string } & Parameters<typeof ofEndpoint>[0]): Delivery {
    const delivery = ofEndpoint(key)
    if (delivery.id !== deliveryId) throw new ApiError('not_found', 'There is no delivery with this id.')
    return delivery
  }
  function mayFail() {
    if (state.replayError) throw new ApiError(state.replayError, 'scripted')
  }
  return {
    listDeliveries(request) {
      const delivery = ofEndpoint(request)
      state.listedDeliveries.push(request)
      if (request.page?.after) return {}
      return { deliveries: [delivery], end: { hasMore: false, place: packPlace({ place: PLACE, id: delivery.id }) } }
    },
    getDelivery: (key) => ({
      delivery: find(key),
      payload: state.hasPayload ? JSON.stringify(PAYLOAD) : undefined,
      attempts: [
        { number: 1, trigger: 'scheduled', at: timestampFromDate(AT), durationMs: 15_000, errorClass: 'timeout' },
        {
          number: 2,
          trigger: 'replay',
          at: timestampFromDate(AT),
          durationMs: 12,
          statusCode: 503,
          errorClass: 'status',
          response: 'busy',
        },
      ],
    }),
    replayDelivery(key) {
      const delivery = find(key)
      mayFail()
      return {
        delivery: Object.assign(delivery, { status: 'pending', nextAttemptAt: timestampFromDate(AT) }),
      }
    },
    replayDeliveries(request) {
      ofEndpoint(request)
      mayFail()
      state.rangeReplays.push(request)
      return { replayed: 42 }
    },
  }
}
