import { type Entry, entries } from '../entry.ts'
import { endpoints, endpointUrls, webhooks, wholeEndpoints } from '../named-tests.ts'

const MADE = webhooks('the endpoint that is made is answered with 201, of the mode of the key, and with its secret')
const NEW = endpoints(
  'a new endpoint is enabled, of its organization and mode, and has a secret of `whsec_` and 24 bytes',
)
const SWITCHED = wholeEndpoints('a disabled endpoint says why, is tested in vain, and works again once it is enabled')
const REASON = endpoints('disabled by a change the reason is `user`; enabled again there is none, nor `failingSince`')
const WHOLE_LIMIT = wholeEndpoints(
  'there may be 20 endpoints in a mode; those of the other one do not count, and are a 404',
)
const WHOLE_LIFE = wholeEndpoints('an endpoint is made, read, listed, tested and deleted, and its secret is shown once')
const JUDGED = wholeEndpoints('a URL is judged by where it leads, at a change as at the creation')
const SECRET_ONCE = webhooks('only the answers of a creation and of a rotation have a secret')
const FOLLOW = wholeEndpoints('deliveries follow a change of the URL and of the secret')
const CHANGED = endpoints('a change leaves what it does not name, and one without anything changes nothing')
const ROTATED = endpoints('after a rotation both secrets sign until the time of grace is over, then the new one alone')
const TESTED = endpoints(
  'a test sends a signed example that is made now, of the first type or another, at once and beside the feed',
)
const LIMIT = endpoints(
  'the 20th endpoint of an organization and mode is made, the 21st is `limit_reached`, also of 30 at once',
)

const taken = (what: string) => webhooks(`${what}: an endpoint is made, and changed`)
const refused = (what: string) => webhooks(`${what} is a 400 of a creation and of a change`)
const somewhere = (mode: string, url: string) => endpointUrls(`in ${mode} mode an endpoint may be at ${url}`)
const nowhere = (url: string) => endpointUrls(`no endpoint may be at ${url}`)

export const WEBHOOKS: Entry[] = [
  ...entries('specification: Webhook endpoint', [
    ['webhook.id', 'A webhook endpoint has `id`.', MADE],
    ['webhook.url', 'A webhook endpoint has `url`.', MADE],
    ['webhook.events', 'A webhook endpoint has `events`.', MADE],
    ['webhook.description', 'A webhook endpoint has `description`, which is optional.', taken('no description'), NEW],
    ['webhook.enabled', 'A webhook endpoint has `enabled`.', MADE, SWITCHED],
    ['webhook.disabledReason', 'A webhook endpoint has `disabledReason`, null while enabled.', MADE, REASON],
    ['webhook.failingSince', 'A webhook endpoint has `failingSince`, null while healthy.', MADE, REASON],
    ['webhook.mode', 'A webhook endpoint has `mode`.', MADE],
    ['webhook.createdAt', 'A webhook endpoint has `createdAt`.', MADE],
    ['webhook.secret', 'The creating answer has `secret`, `whsec_…`.', MADE, NEW],
  ]),
  ...entries('specification: Webhooks', [
    ['webhook.url.missing', 'A missing `url` is a 400.', webhooks('a missing url is a 400 of a creation')],
    [
      'webhook.url.2048',
      'A `url` of 2048 characters is accepted.',
      taken('a URL of 2048 characters'),
      somewhere('live', 'https://hooks.example.com/'.padEnd(2048, 'x')),
    ],
    ['webhook.url.2049', 'A `url` of 2049 characters is a 400.', refused('a URL of 2049 characters')],
    [
      'webhook.url.live-https',
      'A live endpoint may have an `https` URL.',
      somewhere('live', 'https://hooks.example.com:8443/'),
      WHOLE_LIMIT,
    ],
    [
      'webhook.url.test-http',
      'A test endpoint may have an `http` URL.',
      somewhere('test', 'http://hooks.example.com/'),
      WHOLE_LIFE,
    ],
    [
      'webhook.url.unresolvable',
      'A URL that does not resolve is 422 `invalid_url`.',
      nowhere('https://unknown.example.com/'),
      JUDGED,
    ],
    ['webhook.events.missing', 'Missing `events` are a 400.', webhooks('missing events is a 400 of a creation')],
    ['webhook.events.0', 'Empty `events` are a 400.', refused('no events')],
    ['webhook.events.1', '`events` of one type are accepted.', taken('one type')],
    ['webhook.events.15', '`events` of all 15 types are accepted.', taken('all 15 types')],
    ['webhook.events.unknown', 'An unknown event type is a 400.', refused('an unknown type')],
    [
      'webhook.description.256',
      'A `description` of 256 characters is accepted.',
      taken('a description of 256 characters'),
    ],
    [
      'webhook.description.257',
      'A `description` of 257 characters is a 400.',
      refused('a description of 257 characters'),
    ],
    ['webhook.create.mode', 'The endpoint is of the mode of the calling key.', MADE, WHOLE_LIMIT],
  ]),
  ...entries('decisions: Webhooks and events', [
    ['endpoint.POST /v1/webhooks', 'A creation answers 201 with the endpoint.', MADE, WHOLE_LIFE],
    [
      'webhook.url.no-url',
      'A URL that is no http(s) URL is a 400.',
      nowhere('hooks.example.com'),
      nowhere('ftp://hooks.example.com/'),
      JUDGED,
    ],
    [
      'webhook.url.user-info',
      'A URL with user info is 422 `invalid_url`.',
      nowhere('https://user:secret@hooks.example.com/'),
      JUDGED,
    ],
    [
      'webhook.url.private',
      'A URL with a private address is 422 `invalid_url`.',
      nowhere('https://10.0.0.7/'),
      nowhere('https://inside.example.com/'),
      JUDGED,
    ],
    [
      'webhook.url.live-http',
      'An `http` URL in live mode is 422 `invalid_url`.',
      endpointUrls('a live endpoint needs https'),
      JUDGED,
    ],
    ['webhook.secret.form', 'A secret is `whsec_` and the base64 of 24 random bytes.', NEW],
    [
      'endpoint.GET /v1/webhooks',
      'The endpoints of the organization and mode are listed, paged.',
      endpoints('endpoints are listed newest first, or oldest first, in pages, of one organization and mode'),
      WHOLE_LIFE,
    ],
    ['webhooks.list.no-secret', 'The list never shows secrets.', SECRET_ONCE, WHOLE_LIFE],
    ['endpoint.GET /v1/webhooks/{id}', 'An endpoint is read by its id.', SECRET_ONCE, WHOLE_LIFE],
    ['webhook.get.no-secret', 'Reading never shows the secret.', SECRET_ONCE, WHOLE_LIFE],
    ['endpoint.PATCH /v1/webhooks/{id}', 'A PATCH answers the updated endpoint.', FOLLOW, CHANGED],
    ['webhook.patch.no-secret', 'A PATCH never shows the secret.', SECRET_ONCE, FOLLOW],
    ['webhook.patch.url', 'PATCH changes `url`, by the same rules.', FOLLOW, JUDGED],
    [
      'webhook.patch.events',
      'PATCH changes `events`, by the same rules.',
      CHANGED,
      taken('all 15 types'),
      refused('an unknown type'),
    ],
    [
      'webhook.patch.description',
      'PATCH changes `description`, by the same rules.',
      CHANGED,
      taken('a description of 256 characters'),
      refused('a description of 257 characters'),
    ],
    ['webhook.patch.enabled', 'PATCH changes `enabled`.', SWITCHED],
    ['webhook.patch.user', 'Disabled by PATCH, `disabledReason` is `user`.', REASON, SWITCHED],
    ['webhook.patch.enabled-again', 'Enabled again, `disabledReason` and `failingSince` are null.', REASON, SWITCHED],
    [
      'endpoint.DELETE /v1/webhooks/{id}',
      'A DELETE answers 204.',
      WHOLE_LIFE,
      webhooks('a deletion is answered with 204'),
    ],
    [
      'webhook.delete.pending',
      'The pending deliveries of a deleted endpoint are dropped.',
      endpoints('a deleted endpoint is gone with its secrets and pending deliveries; a second deletion finds nothing'),
    ],
    ['endpoint.POST /v1/webhooks/{id}/rotate-secret', 'Rotation returns the new secret, once.', FOLLOW, SECRET_ONCE],
    ['webhook.rotate.both', 'Within the grace both secrets sign.', ROTATED, FOLLOW],
    ['webhook.rotate.after', 'After the grace the new secret alone signs.', ROTATED],
    [
      'webhook.rotate.default',
      '`graceSeconds` is 86400 by default.',
      webhooks('a rotation without a body has its time of grace'),
      webhooks('a rotation with an empty object has its time of grace'),
    ],
    [
      'webhook.rotate.604800',
      '`graceSeconds` 604800 is accepted.',
      webhooks('a rotation with 604800 has its time of grace'),
    ],
    ['webhook.rotate.604801', '`graceSeconds` 604801 is a 400.', webhooks('a time of grace of 604801 is a 400')],
    [
      'endpoint.POST /v1/webhooks/{id}/test',
      'A test answers 202 with the delivery.',
      webhooks('a test with an empty object is answered with 202 and the delivery'),
      WHOLE_LIFE,
    ],
    ['webhook.test.signed', 'A test sends a signed example.', TESTED, WHOLE_LIFE],
    [
      'webhook.test.type',
      '`type` may name a type that is not subscribed.',
      TESTED,
      webhooks('a test with a type that the endpoint has not subscribed to is answered with 202 and the delivery'),
    ],
    ['webhook.test.no-feed', 'A test is not in the event feed.', TESTED],
    [
      'webhook.test.disabled',
      'A test on a disabled endpoint is 409 `endpoint_disabled`.',
      endpoints('a disabled endpoint is tested in vain'),
      SWITCHED,
    ],
    ['webhook.limit.20', 'The 20th endpoint of an organization and mode is accepted.', LIMIT, WHOLE_LIMIT],
    ['webhook.limit.21', 'The 21st is 409 `limit_reached`.', LIMIT, WHOLE_LIMIT],
    ['webhook.limit.other-mode', 'The endpoints of the other mode do not count.', LIMIT, WHOLE_LIMIT],
  ]),
]
