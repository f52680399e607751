import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { Endpoint } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { toTime } from '@platen/resources/explain/texts.ts'
import { shorten } from '@platen/resources/explain/to-facts.ts'
import { type Entry, toEntry } from './entry.ts'

const URL_LENGTH_MAX = 100

/** Endpoints that a user has disabled are left out. */
export const describeEndpoints = (endpoints: Endpoint[]): Entry[] =>
  endpoints.flatMap(({ id, url, enabled, disabledReason, failingSince }) => {
    const since = failingSince ? ` since ${toTime(timestampDate(failingSince))}` : ''
    const name = `Webhook endpoint ${shorten(url, URL_LENGTH_MAX)}`
    if (!enabled && disabledReason === 'failures')
      return toEntry({
        kind: 'webhook',
        code: 'webhook-disabled',
        text: `${name} was disabled, because all its deliveries failed${since}.`,
        webhookId: id,
      })
    if (!enabled || !failingSince) return []
    return toEntry({
      kind: 'webhook',
      code: 'webhook-failing',
      text: `${name} has been failing${since}.`,
      webhookId: id,
    })
  })
