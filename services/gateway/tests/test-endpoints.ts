/** What stands for the webhooks service's endpoints behind a gateway under test: it forgets what is made and deletes nothing. */
import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  type Endpoint,
  EndpointSchema,
  type EndpointsService,
  type RotateSecretRequest,
  type TestEndpointRequest,
} from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { ApiError, type ErrorCode } from '@platen/runtime/errors.ts'
import { packPlace } from '@platen/runtime/paging.ts'
import { AT, ORGANIZATION_ID, PLACE } from './start-test-services.ts'

export const ENDPOINT_ID = '01890a5d-0000-7000-8000-000000000010'
export const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
const DELIVERY_ID = '01890a5d-0000-7000-8000-000000000011'
const EVENT_ID = '01890a5d-0000-7000-8000-000000000012'

interface EndpointsState {
  endpoints: Endpoint[]
  rotations: RotateSecretRequest[]
  endpointTests: TestEndpointRequest[]
  endpointError: ErrorCode | undefined
}

export function makeEndpoint(changes: Partial<Omit<Endpoint, '$typeName' | '$unknown'>> = {}): Endpoint {
  return create(EndpointSchema, {
    id: ENDPOINT_ID,
    organizationId: ORGANIZATION_ID,
    mode: 'test',
    url: 'https://hooks.example.com/',
    events: ['printjob.done'],
    enabled: true,
    createdAt: timestampFromDate(AT),
    ...changes,
  })
}

export function testEndpoints(state: EndpointsState): Partial<ServiceImpl<typeof EndpointsService>> {
  function find(key: { organizationId: string; mode: string; endpointId: string }): Endpoint {
    const is = (one: Endpoint) => one.id === key.endpointId && one.organizationId === key.organizationId
    const found = state.endpoints.find((one) => is(one) && one.mode === key.mode)
    if (!found) throw new ApiError('not_found', 'There is no webhook endpoint with this id.')
    return found
  }
  function mayFail() {
    if (state.endpointError) throw new ApiError(state.endpointError, 'scripted')
  }
  return {
    createEndpoint({ organizationId, mode, url, events, description }) {
      mayFail()
      return { endpoint: makeEndpoint({ organizationId, mode, url, events, description }), secret: SECRET }
    },
    getEndpoint: (key) => ({ endpoint: find(key) }),
    listEndpoints({ organizationId, mode, page }) {
      const is = (one: Endpoint) => one.organizationId === organizationId && one.mode === mode
      const endpoints = page?.after ? [] : state.endpoints.filter(is)
      const last = endpoints.at(-1)
      return { endpoints, end: { hasMore: false, place: last && packPlace({ place: PLACE, id: last.id }) } }
    },
    updateEndpoint({ url, events, description, enabled, ...key }) {
      const found = find(key)
      mayFail()
      return {
        endpoint: makeEndpoint({
          ...found,
          url: url ?? found.url,
          events: events?.types ?? found.events,
          description: description ? description.text : found.description,
          enabled: enabled ?? found.enabled,
          disabledReason: enabled === false ? 'user' : undefined,
        }),
      }
    },
    deleteEndpoint(key) {
      find(key)
      return {}
    },
    rotateSecret(request) {
      state.rotations.push(request)
      return { endpoint: find(request), secret: SECRET }
    },
    testEndpoint(request) {
      const { id, events } = find(request)
      mayFail()
      state.endpointTests.push(request)
      return {
        delivery: {
          id: DELIVERY_ID,
          endpointId: id,
          eventId: EVENT_ID,
          eventType: request.type || events[0],
          status: 'pending',
          nextAttemptAt: timestampFromDate(AT),
          createdAt: timestampFromDate(AT),
        },
      }
    },
  }
}
