import { type Entry, entries, NOT_BUILT } from '../entry.ts'
import {
  badInput,
  badUrl,
  CANCELLED,
  DAILY_CAP,
  envelope,
  KEY_IN_USE,
  KEY_REUSED,
  LACKS_SCOPE,
  quota,
  rateLimit,
  refused,
  refusedByGateway,
  requestLimits,
  slowClients,
  storageUnavailable,
  wholeEndpoints,
  withoutUpload,
} from '../named-tests.ts'

const OVER_QUOTA = quota(
  'a print over the quota is a 402 with the address where the plan can be changed, and nothing is stored',
)

export const ERRORS: Entry[] = [
  ...entries('specification: Error envelope', [
    ['envelope.code', 'An error answer has `error.code`, the stable code.', refused('qty is 0')],
    ['envelope.message', 'An error answer has `error.message`, a text.', refused('qty is 0')],
    ['envelope.request_id', '`error.request_id` equals the header `X-Request-Id`.', refused('qty is 0')],
    ['envelope.upgrade_url', '`error.upgrade_url` is present on `quota_exceeded`.', OVER_QUOTA],
    [
      'envelope.nothing-else',
      'Other errors have these three fields and nothing else.',
      refused('qty is 0'),
      refusedByGateway('the printer is disabled'),
    ],
    [
      'envelope.malformed-http',
      'What is no HTTP is answered with the envelope too.',
      envelope('what is no HTTP still gets the envelope > a line that is no request'),
      requestLimits('headers > 100 of them pass, 101 are a 431'),
      slowClients('headers that come byte by byte are a 408'),
    ],
  ]),
  ...entries('specification: Errors', [
    ['error.400.invalid_request', 'An invalid request is 400 `invalid_request`.', refused('printerId is missing')],
    ['error.400.bad-json', 'Bad JSON is a 400.', refused('the JSON is cut off'), refused('the body is empty')],
    ['error.400.no-object', 'A body that is no JSON object is a 400.', refused('the body is no object')],
    [
      'error.401.unauthorized',
      'Missing or invalid credentials are 401 `unauthorized`.',
      badInput('a request without a good key is a 401, all alike > no key'),
      badInput('a request without a good key is a 401, all alike > a made-up key'),
    ],
    [
      'error.403.insufficient_scope',
      'A key that lacks the scope is 403 `insufficient_scope`.',
      LACKS_SCOPE('read'),
      LACKS_SCOPE('print'),
    ],
    ['error.403.forbidden', 'A role that may not do it is 403 `forbidden`.', NOT_BUILT],
    [
      'error.404.not_found',
      'What does not exist is 404 `not_found`.',
      badInput('what does not exist is a 404 > /v1/printers/01890a5d-ac96-774b-bcce-b302099a8057'),
    ],
    ['error.409.idempotency_in_progress', 'A key in use is 409 `idempotency_in_progress`.', KEY_IN_USE],
    ['error.409.not_cancellable', 'A cancel that comes too late is 409 `not_cancellable`.', CANCELLED],
    ['error.409.endpoint_disabled', 'A replay on a disabled endpoint is 409 `endpoint_disabled`.', NOT_BUILT],
    [
      'error.410.file_expired',
      'A reprint without a stored file is 410 `file_expired`.',
      withoutUpload('a reprint > can be made for 7 days, and is file_expired from then on'),
    ],
    [
      'error.413.content_too_large',
      'Content over 25 MB is 413 `content_too_large`.',
      refused('the document has 25 MB + 1 byte'),
    ],
    ['error.422.invalid_content', 'Bad content is 422 `invalid_content`.', refused('the document is no PDF')],
    [
      'error.422.invalid_content_url',
      'A bad content URL is 422 `invalid_content_url`.',
      badUrl('its scheme is another'),
    ],
    [
      'error.422.printer_disabled',
      'A disabled printer is 422 `printer_disabled`.',
      refusedByGateway('the printer is disabled'),
    ],
    [
      'error.422.mode_mismatch',
      'A key of the wrong mode is 422 `mode_mismatch`.',
      refused("the printer is of the organization's other mode"),
    ],
    ['error.422.idempotency_key_reused', 'A key with another body is 422 `idempotency_key_reused`.', ...KEY_REUSED],
    [
      'error.422.invalid_url',
      'A bad webhook URL is 422 `invalid_url`.',
      wholeEndpoints('a URL is judged by where it leads, at a change as at the creation'),
    ],
    [
      'error.429.rate_limited',
      'Too many requests are 429 `rate_limited`.',
      rateLimit('20 requests in a second are accepted, the 21st is a 429'),
    ],
    ['error.429.test_mode_daily_cap', 'Too many test jobs are 429 `test_mode_daily_cap`.', DAILY_CAP],
    [
      'error.503.storage_unavailable',
      'A store that cannot be written to is 503 `storage_unavailable`.',
      refusedByGateway('the store cannot be written'),
      ...['file', 'nats', 's3'].map((kind) =>
        storageUnavailable(
          `while the document store of the kind ${kind} is away > a creation is 503 storage_unavailable and makes no job, and succeeds when the store is back`,
        ),
      ),
    ],
  ]),
  ...entries('decisions: Conventions everywhere', [
    [
      'error.405.method_not_allowed',
      'A wrong method is 405 `method_not_allowed`.',
      badInput('a wrong method is a 405 that says which are allowed'),
    ],
    [
      'error.415.unsupported_media_type',
      'A wrong content type is 415 `unsupported_media_type`.',
      refused('the content type of the request is not JSON'),
    ],
  ]),
  ...entries('decisions: Identity and limits', [
    ['error.402.quota_exceeded', 'A print over the quota is 402 `quota_exceeded`.', OVER_QUOTA],
  ]),
  ...entries('decisions: Webhooks and events', [
    [
      'error.409.limit_reached',
      'One webhook endpoint too many is 409 `limit_reached`.',
      wholeEndpoints('there may be 20 endpoints in a mode; those of the other one do not count, and are a 404'),
    ],
  ]),
]
