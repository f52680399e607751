import { type Entry, entries, missing } from '../entry.ts'

export const DELIVERIES: Entry[] = [
  ...entries('specification: Delivery', [
    [
      'delivery.subscribed',
      'An endpoint receives the events that it subscribed to.',
      'services/webhooks/tests/record-events.test.ts: an endpoint gets a delivery of what it has subscribed to in its organization and mode, and of nothing else',
    ],
    [
      'delivery.not-subscribed',
      'It receives no others.',
      'services/webhooks/tests/record-events.test.ts: an endpoint gets a delivery of what it has subscribed to in its organization and mode, and of nothing else',
    ],
    [
      'delivery.own-mode',
      'A test endpoint receives no live events, and the other way round.',
      'services/webhooks/tests/record-events.test.ts: an endpoint gets a delivery of what it has subscribed to in its organization and mode, and of nothing else',
    ],
    [
      'delivery.signature',
      'The HMAC of id, timestamp and body verifies by Standard Webhooks.',
      'services/webhooks/tests/delivery.test.ts: a delivery that is due goes out at once, signed by Standard Webhooks, and has succeeded by any 2xx',
      'services/webhooks/tests/sign.test.ts: the public vector of Standard Webhooks',
      'services/webhooks/tests/sign.test.ts: each secret signs, in the order given, and the public library verifies by any of them and by no other',
    ],
    [
      'webhook-header.webhook-id',
      'A request has `webhook-id`, the id of the event.',
      'services/webhooks/tests/delivery.test.ts: a delivery that is due goes out at once, signed by Standard Webhooks, and has succeeded by any 2xx',
    ],
    [
      'webhook-header.webhook-timestamp',
      'A request has `webhook-timestamp`, the time of the attempt.',
      'services/webhooks/tests/delivery.test.ts: a delivery that is due goes out at once, signed by Standard Webhooks, and has succeeded by any 2xx',
    ],
    [
      'webhook-header.webhook-signature',
      'A request has `webhook-signature`.',
      'services/webhooks/tests/delivery.test.ts: a delivery that is due goes out at once, signed by Standard Webhooks, and has succeeded by any 2xx',
    ],
    [
      'replay.dashboard',
      'Any delivery can be replayed from the dashboard.',
      missing('replayed over the API; there is no dashboard yet'),
    ],
  ]),
  ...entries('specification: Webhooks', [
    [
      'replay.disabled',
      'A replay on a disabled endpoint is 409 `endpoint_disabled`.',
      'services/webhooks/tests/deliveries.test.ts: a disabled endpoint replays neither one delivery nor a range',
      'services/gateway/tests/webhook-deliveries.test.ts: a disabled endpoint answers 409 to both replays',
    ],
  ]),
  ...entries('decisions: Webhooks and events', [
    [
      'delivery.webhook-id.same',
      '`webhook-id` is the same on every retry and replay.',
      'services/webhooks/tests/delivery.test.ts: all 8 attempts come at their times, with the same id and bytes, and then the delivery is failed',
      'services/webhooks/tests/delivery.test.ts: a replay has the id and the bytes of the first attempt, and the time of its own',
    ],
    [
      'delivery.body.same',
      "The body's bytes are the same on every retry and replay.",
      'services/webhooks/tests/delivery.test.ts: all 8 attempts come at their times, with the same id and bytes, and then the delivery is failed',
      'services/webhooks/tests/delivery.test.ts: a replay has the id and the bytes of the first attempt, and the time of its own',
    ],
    [
      'retry.first',
      'The first attempt is made at once.',
      'services/webhooks/tests/delivery.test.ts: a delivery that is due goes out at once, signed by Standard Webhooks, and has succeeded by any 2xx',
    ],
    [
      'retry.schedule',
      'The next follow after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h.',
      'services/webhooks/tests/delivery.test.ts: all 8 attempts come at their times, with the same id and bytes, and then the delivery is failed',
      'services/webhooks/tests/schedule.test.ts: after each attempt but the eighth there is another one, 27 h 35 min after the first in all',
    ],
    [
      'retry.jitter',
      'Each gap is varied by up to 10 %.',
      'services/webhooks/tests/schedule.test.ts: a gap is varied by up to 10 %, to either side',
      'services/webhooks/tests/delivery.test.ts: all 8 attempts come at their times, with the same id and bytes, and then the delivery is failed',
    ],
    [
      'retry.from-end',
      'A gap is counted from the end of the failed attempt.',
      'services/webhooks/tests/delivery.test.ts: a gap is counted from the end of the failed attempt',
    ],
    [
      'retry.last',
      'After the eighth attempt a delivery is `failed`.',
      'services/webhooks/tests/delivery.test.ts: all 8 attempts come at their times, with the same id and bytes, and then the delivery is failed',
    ],
    [
      'attempt.timeout.14s',
      'A receiver that answers after just under 15 s has received.',
      'services/webhooks/tests/delivery.test.ts: a receiver that answers after 14 s has received, and one that has not answered after 15 s has not',
    ],
    [
      'attempt.timeout.15s',
      'A receiver that does not answer within 15 s has not.',
      'services/webhooks/tests/delivery.test.ts: a receiver that answers after 14 s has received, and one that has not answered after 15 s has not',
    ],
    [
      'attempt.2xx',
      'Any 2xx is success.',
      'services/webhooks/tests/delivery.test.ts: a delivery that is due goes out at once, signed by Standard Webhooks, and has succeeded by any 2xx',
    ],
    [
      'attempt.redirect',
      'A redirect is not followed and counts as failure.',
      'services/webhooks/tests/delivery.test.ts: an attempt has failed, as its class says, when the endpoint > redirects, which is not followed',
    ],
    [
      'attempt.4xx',
      'Any other 4xx counts as failure and is tried again.',
      'services/webhooks/tests/delivery.test.ts: an attempt has failed, as its class says, when the endpoint > answers 400',
    ],
    [
      'attempt.retry-after.longer',
      '`Retry-After` lengthens a gap up to twice.',
      'services/webhooks/tests/delivery.test.ts: `Retry-After` lengthens the gap',
    ],
    [
      'attempt.retry-after.much-longer',
      '`Retry-After` never lengthens a gap over twice.',
      'services/webhooks/tests/delivery.test.ts: `Retry-After` lengthens it up to twice',
      'services/webhooks/tests/schedule.test.ts: `Retry-After` lengthens a gap up to twice and never shortens it',
    ],
    [
      'attempt.retry-after.shorter',
      '`Retry-After` never shortens a gap.',
      'services/webhooks/tests/delivery.test.ts: `Retry-After` does not shorten it',
    ],
    [
      'attempt.410.ends',
      "410 ends this delivery's retries.",
      'services/webhooks/tests/delivery.test.ts: 410 ends the retries of its delivery and leaves the endpoint enabled',
    ],
    [
      'attempt.410.enabled',
      '410 leaves the endpoint enabled.',
      'services/webhooks/tests/delivery.test.ts: 410 ends the retries of its delivery and leaves the endpoint enabled',
    ],
    [
      'attempt.present-url',
      "Each attempt uses the endpoint's present URL.",
      'services/webhooks/tests/delivery.test.ts: each attempt uses the present URL and secrets, and those of a rotation until they expire',
    ],
    [
      'attempt.present-secrets',
      "Each attempt uses the endpoint's present secrets.",
      'services/webhooks/tests/delivery.test.ts: each attempt uses the present URL and secrets, and those of a rotation until they expire',
    ],
    [
      'failing.set',
      '`failingSince` is set at the first failed attempt after a success.',
      'services/webhooks/tests/delivery.test.ts: `failing_since` is the end of the first failed attempt after a success, until the next success',
    ],
    [
      'failing.kept',
      'Further failures leave `failingSince`.',
      'services/webhooks/tests/delivery.test.ts: `failing_since` is the end of the first failed attempt after a success, until the next success',
    ],
    [
      'failing.cleared',
      'Any success clears `failingSince`.',
      'services/webhooks/tests/delivery.test.ts: `failing_since` is the end of the first failed attempt after a success, until the next success',
    ],
    [
      'failing.before-5-days',
      'Just before 5 days the endpoint is enabled.',
      'services/webhooks/tests/failing.test.ts: an endpoint that keeps failing > is enabled just before 5 days, and disabled by the sweep after 5 days without any traffic',
    ],
    [
      'failing.5-days',
      'After 5 days without a success it is disabled with `disabledReason` `failures`.',
      'services/webhooks/tests/failing.test.ts: an endpoint that keeps failing > is enabled just before 5 days, and disabled by the sweep after 5 days without any traffic',
      'services/webhooks/tests/failing.test.ts: an endpoint that keeps failing > is disabled after an attempt as well, and others are left alone',
    ],
    [
      'missed.new',
      'While an endpoint is disabled its events become `missed` deliveries.',
      'services/webhooks/tests/record-events.test.ts: what a disabled endpoint has subscribed to becomes a missed delivery, which is due never',
    ],
    [
      'missed.pending',
      'The pending deliveries of an endpoint that is disabled become `missed`.',
      'services/webhooks/tests/failing.test.ts: an endpoint that keeps failing > leaves its pending deliveries as missed when it is disabled',
      'services/webhooks/tests/endpoints.test.ts: when an endpoint is disabled its pending deliveries become `missed`, and no others',
    ],
    [
      'missed.replay',
      'A `missed` delivery can be replayed.',
      'test/e2e/webhook-deliveries.test.ts: what a disabled endpoint missed is replayed as a range once it is enabled, and not before',
    ],
    [
      'endpoint.GET /v1/webhooks/{id}/deliveries',
      'The deliveries of an endpoint are listed, paged.',
      'services/gateway/tests/webhook-deliveries.test.ts: deliveries are listed in pages, each with its fields',
      'services/webhooks/tests/deliveries.test.ts: an endpoint lists its deliveries, newest first, and page by page each once',
    ],
    [
      'deliveries.filter.status',
      'Deliveries are filtered by `status`.',
      'services/webhooks/tests/deliveries.test.ts: a list is narrowed to statuses and to event types, which hold together',
      'services/gateway/tests/webhook-deliveries.test.ts: deliveries are asked for by status and by type, each once or several times',
    ],
    [
      'deliveries.filter.type',
      'Deliveries are filtered by `type`.',
      'services/webhooks/tests/deliveries.test.ts: a list is narrowed to statuses and to event types, which hold together',
      'services/gateway/tests/webhook-deliveries.test.ts: deliveries are asked for by status and by type, each once or several times',
    ],
    [
      'endpoint.GET /v1/webhooks/{id}/deliveries/{deliveryId}',
      'A delivery is read by its id.',
      'services/gateway/tests/webhook-deliveries.test.ts: a delivery is read with its payload and its attempt log',
    ],
    [
      'endpoint.POST /v1/webhooks/{id}/deliveries/{deliveryId}/replay',
      'A replay answers 202 with the same delivery.',
      'services/gateway/tests/webhook-deliveries.test.ts: a replay answers 202 with the delivery, which is pending',
    ],
    [
      'replay.pending',
      'A replayed delivery is `pending` again.',
      'services/webhooks/tests/deliveries.test.ts: a replay makes a succeeded delivery pending, due at once, with its schedule to come',
      'services/webhooks/tests/deliveries.test.ts: a replay makes a failed delivery pending, due at once, with its schedule to come',
      'services/webhooks/tests/deliveries.test.ts: a replay makes a missed delivery pending, due at once, with its schedule to come',
    ],
    [
      'replay.attempt',
      'A replayed delivery gets a new attempt.',
      'test/e2e/webhook-deliveries.test.ts: a delivery that was given up is read with its attempts, and arrives by a replay with the same id and bytes',
    ],
    [
      'endpoint.POST /v1/webhooks/{id}/replay',
      'The replay of a range answers 202 with `replayed`, a count.',
      'services/gateway/tests/webhook-deliveries.test.ts: a replay of a range answers 202 with how many there were; by default it has what failed or was missed',
      'services/webhooks/tests/deliveries.test.ts: a range of thousands is replayed whole, each delivery once, the oldest due first',
    ],
    [
      'replay.range.since',
      '`since` is required and bounds the range.',
      'services/webhooks/tests/deliveries.test.ts: a range begins with `since`, ends before `until`, and has by default what failed or was missed',
      'services/gateway/tests/webhook-deliveries.test.ts: the replay of a range with no `since` is a 400',
    ],
    [
      'replay.range.until',
      '`until` bounds the range.',
      'services/webhooks/tests/deliveries.test.ts: a range begins with `since`, ends before `until`, and has by default what failed or was missed',
    ],
    [
      'replay.range.backwards',
      '`until` before `since` is a 400.',
      'services/gateway/tests/webhook-deliveries.test.ts: the replay of a range with `until` before `since` is a 400',
    ],
    [
      'replay.range.status',
      '`status` narrows the range.',
      'services/webhooks/tests/deliveries.test.ts: a range begins with `since`, ends before `until`, and has by default what failed or was missed',
    ],
    [
      'replay.range.disabled',
      'The replay of a range on a disabled endpoint is 409 `endpoint_disabled`.',
      'services/webhooks/tests/deliveries.test.ts: a disabled endpoint replays neither one delivery nor a range',
      'services/gateway/tests/webhook-deliveries.test.ts: a disabled endpoint answers 409 to both replays',
    ],
    [
      'delivery.id',
      'A delivery has `id`.',
      'services/gateway/tests/webhook-deliveries.test.ts: deliveries are listed in pages, each with its fields',
    ],
    [
      'delivery.webhookId',
      'A delivery has `webhookId`.',
      'services/gateway/tests/webhook-deliveries.test.ts: deliveries are listed in pages, each with its fields',
    ],
    [
      'delivery.eventId',
      'A delivery has `eventId`.',
      'services/gateway/tests/webhook-deliveries.test.ts: deliveries are listed in pages, each with its fields',
    ],
    [
      'delivery.eventType',
      'A delivery has `eventType`.',
      'services/gateway/tests/webhook-deliveries.test.ts: deliveries are listed in pages, each with its fields',
    ],
    [
      'delivery.status',
      'A delivery has `status`.',
      'services/gateway/tests/webhook-deliveries.test.ts: deliveries are listed in pages, each with its fields',
    ],
    [
      'delivery.status.pending',
      'A delivery that is still tried is `pending`.',
      'test/e2e/webhook-deliveries.test.ts: a delivery that was given up is read with its attempts, and arrives by a replay with the same id and bytes',
    ],
    [
      'delivery.status.succeeded',
      'A delivery that was received is `succeeded`.',
      'test/e2e/webhook-deliveries.test.ts: a delivery that was given up is read with its attempts, and arrives by a replay with the same id and bytes',
    ],
    [
      'delivery.status.failed',
      'A delivery that was given up is `failed`.',
      'services/webhooks/tests/delivery.test.ts: all 8 attempts come at their times, with the same id and bytes, and then the delivery is failed',
    ],
    [
      'delivery.status.missed',
      'A delivery of a disabled endpoint is `missed`.',
      'test/e2e/webhook-deliveries.test.ts: what a disabled endpoint missed is replayed as a range once it is enabled, and not before',
    ],
    [
      'delivery.attempts',
      'A delivery has `attempts`, a count.',
      'services/gateway/tests/webhook-deliveries.test.ts: deliveries are listed in pages, each with its fields',
    ],
    [
      'delivery.nextAttemptAt',
      'A delivery has `nextAttemptAt`, null when there is none.',
      'services/gateway/tests/webhook-deliveries.test.ts: deliveries are listed in pages, each with its fields',
    ],
    [
      'delivery.lastStatusCode',
      'A delivery has `lastStatusCode`.',
      'services/gateway/tests/webhook-deliveries.test.ts: deliveries are listed in pages, each with its fields',
    ],
    [
      'delivery.lastError',
      'A delivery has `lastError`.',
      'services/gateway/tests/webhook-deliveries.test.ts: deliveries are listed in pages, each with its fields',
    ],
    [
      'delivery.createdAt',
      'A delivery has `createdAt`.',
      'services/gateway/tests/webhook-deliveries.test.ts: deliveries are listed in pages, each with its fields',
    ],
    [
      'delivery.deliveredAt',
      'A delivery has `deliveredAt`, null until it succeeded.',
      'services/gateway/tests/webhook-deliveries.test.ts: deliveries are listed in pages, each with its fields',
      'test/e2e/webhook-deliveries.test.ts: a delivery that was given up is read with its attempts, and arrives by a replay with the same id and bytes',
    ],
    [
      'delivery.payload',
      'Reading a delivery adds `payload`.',
      'services/gateway/tests/webhook-deliveries.test.ts: a delivery is read with its payload and its attempt log',
    ],
    [
      'delivery.attemptLog',
      'Reading a delivery adds `attemptLog`.',
      'services/gateway/tests/webhook-deliveries.test.ts: a delivery is read with its payload and its attempt log',
    ],
    [
      'attempt.number',
      'An attempt has `number`.',
      'services/gateway/tests/webhook-deliveries.test.ts: a delivery is read with its payload and its attempt log',
    ],
    [
      'attempt.trigger',
      'An attempt has `trigger`.',
      'services/gateway/tests/webhook-deliveries.test.ts: a delivery is read with its payload and its attempt log',
    ],
    [
      'attempt.trigger.scheduled',
      'The trigger of a first try and of a retry is `scheduled`.',
      'test/e2e/webhook-deliveries.test.ts: a delivery that was given up is read with its attempts, and arrives by a replay with the same id and bytes',
    ],
    [
      'attempt.trigger.replay',
      'The trigger of a replay is `replay`.',
      'test/e2e/webhook-deliveries.test.ts: a delivery that was given up is read with its attempts, and arrives by a replay with the same id and bytes',
    ],
    [
      'attempt.trigger.test',
      'The trigger of a test is `test`.',
      'test/e2e/webhook-deliveries.test.ts: a test is a delivery whose attempt says so',
    ],
    [
      'attempt.at',
      'An attempt has `at`.',
      'services/gateway/tests/webhook-deliveries.test.ts: a delivery is read with its payload and its attempt log',
    ],
    [
      'attempt.durationMs',
      'An attempt has `durationMs`.',
      'services/gateway/tests/webhook-deliveries.test.ts: a delivery is read with its payload and its attempt log',
    ],
    [
      'attempt.statusCode',
      'An attempt has `statusCode`, null without an answer.',
      'services/gateway/tests/webhook-deliveries.test.ts: a delivery is read with its payload and its attempt log',
    ],
    [
      'attempt.errorClass',
      'An attempt has `errorClass`, null when it succeeded.',
      'services/gateway/tests/webhook-deliveries.test.ts: a delivery is read with its payload and its attempt log',
    ],
    [
      'attempt.errorClass.timeout',
      'A receiver that takes too long is `timeout`.',
      'services/webhooks/tests/delivery.test.ts: an attempt has failed, as its class says, when the endpoint > does not answer in time',
    ],
    [
      'attempt.errorClass.dns',
      'A host that does not resolve is `dns`.',
      'services/webhooks/tests/delivery.test.ts: an attempt has failed without a request when the endpoint > has no address',
    ],
    [
      'attempt.errorClass.connect',
      'A refused connection is `connect`.',
      'services/webhooks/tests/delivery.test.ts: an attempt has failed without a request when the endpoint > refuses the connection',
    ],
    [
      'attempt.errorClass.tls',
      'A bad certificate is `tls`.',
      'services/webhooks/tests/delivery.test.ts: an attempt has failed without a request when the endpoint > has a certificate that nobody vouches for',
    ],
    [
      'attempt.errorClass.blocked_address',
      'A host that now leads to a private address is `blocked_address`.',
      'services/webhooks/tests/delivery.test.ts: an attempt has failed without a request when the endpoint > is at a private address',
    ],
    [
      'attempt.errorClass.redirect',
      'A redirect is `redirect`.',
      'services/webhooks/tests/delivery.test.ts: an attempt has failed, as its class says, when the endpoint > redirects, which is not followed',
    ],
    [
      'attempt.errorClass.status',
      'Any other status that is not 2xx is `status`.',
      'services/webhooks/tests/delivery.test.ts: an attempt has failed, as its class says, when the endpoint > answers 503',
    ],
    [
      'attempt.response',
      "An attempt has `response`, the response's first 1 kB.",
      'services/gateway/tests/webhook-deliveries.test.ts: a delivery is read with its payload and its attempt log',
      'services/webhooks/tests/answer-text.test.ts: the first 1,024 bytes are kept, however they come',
    ],
  ]),
]
