/**
 * S10: whatever comes to a webhook endpoint is meant for it and comes from us: signed with its secret, an event of its organization and
 * mode that it has subscribed to, under the event's own id, and to the byte the event that the feed has.
 */
import type { EndpointFacts, FeedRow, ReceivedWebhook } from '../history.ts'
import type { Facts } from './facts.ts'
import { type Violation, violationOf } from './violation.ts'

const violation = violationOf('S10')

export function checkWebhooks({ history }: Facts): Violation[] {
  const endpoints = new Map(history.endpoints.map((endpoint) => [endpoint.id, endpoint]))
  const events = new Map(history.database.feed.map((event) => [event.id, event]))
  return history.receivedWebhooks.flatMap((received) => {
    const wrong = whatIsWrong(received, endpoints.get(received.endpoint), events.get(received.webhookId))
    return wrong === undefined
      ? []
      : [violation('illegal', received.webhookId, `A webhook came to ${received.endpoint} ${wrong}.`)]
  })
}

function whatIsWrong(
  { isSigned, webhookId, eventId, bodySha256 }: ReceivedWebhook,
  endpoint: EndpointFacts | undefined,
  event: FeedRow | undefined,
): string | undefined {
  if (endpoint === undefined) return 'which is no endpoint'
  if (!isSigned) return 'that its secret has not signed'
  if (eventId !== webhookId) return `with the event ${eventId} in it`
  if (event === undefined) return 'that is no event of the feed'
  if (event.bodySha256 !== bodySha256) return 'with other bytes than the event has'
  if (event.organizationId !== endpoint.organizationId) return 'with an event of another organization'
  if (event.mode !== endpoint.mode) return `of ${endpoint.mode} mode, with an event of ${event.mode} mode`
  if (!endpoint.events.includes(event.type)) return `which has not subscribed to ${event.type}`
  return undefined
}
