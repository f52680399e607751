import { type Entry, entries } from '../entry.ts'
import {
  creationLimit,
  DAILY_CAP,
  PAST_DAILY_CAP,
  rateLimit,
  sharedRateLimit,
  shippedRateLimit,
} from '../named-tests.ts'

const TWO_GATEWAYS = shippedRateLimit(
  'two gateways accept 20 requests of one key in a second, and then those that waited',
)
const AT_21 = rateLimit('20 requests in a second are accepted, the 21st is a 429')
const COUNT_DOWN = rateLimit('the headers > count down, and tell when a request is free')
const EXACT_OVER = (gateways: number) =>
  sharedRateLimit(
    `${gateways} gateways > of 100 requests of one key, spread over them, 20 are accepted in every second`,
  )
const onAnswer = (what: string) => rateLimit(`the headers > are on a ${what}`)

export const RATE_LIMIT: Entry[] = [
  ...entries('specification: Limits', [
    ['rate-limit.20', '20 requests in one second with one key are accepted.', AT_21],
    ['rate-limit.21', 'The 21st request in the same second is 429 `rate_limited`.', AT_21],
    [
      'rate-limit.next-window',
      'The next request after `Retry-After` is accepted.',
      rateLimit('whoever waits for as long as Retry-After says is served'),
    ],
    [
      'rate-limit.per-key',
      'Another key of the organization is not affected.',
      rateLimit('other keys are not affected'),
    ],
    ['rate-limit.header.Retry-After', 'A `rate_limited` answer has `Retry-After` in whole seconds.', TWO_GATEWAYS],
    ['rate-limit.header.RateLimit-Limit', '`RateLimit-Limit` is 20.', TWO_GATEWAYS],
    ['rate-limit.header.RateLimit-Remaining', '`RateLimit-Remaining` counts down within the second.', COUNT_DOWN],
    ['rate-limit.header.RateLimit-Reset', '`RateLimit-Reset` says when the window frees a request.', COUNT_DOWN],
    ['daily-cap.500', 'The 500th test job of a UTC day is accepted.', DAILY_CAP],
    ['daily-cap.501', 'The 501st test job of a UTC day is 429 `test_mode_daily_cap`.', DAILY_CAP],
    ['daily-cap.next-day', 'Test jobs are accepted again on the next UTC day.', PAST_DAILY_CAP],
    [
      'daily-cap.per-organization',
      'The cap counts for the organization, whichever key is used.',
      DAILY_CAP,
      PAST_DAILY_CAP,
    ],
    ['daily-cap.live', 'Live jobs do not count towards the cap and are accepted past it.', PAST_DAILY_CAP],
    [
      'daily-cap.plan',
      'Test jobs do not count toward plan prints.',
      creationLimit('the prints of a plan > a test job takes none'),
    ],
  ]),
  ...entries('decisions: Identity and limits', [
    [
      'rate-limit.headers.everywhere',
      'Every authenticated answer has the headers, errors too.',
      onAnswer('200: GET /v1/whoami'),
      onAnswer('403'),
      onAnswer('404: GET /v1/nowhere'),
      onAnswer('405: DELETE /v1/whoami'),
      onAnswer('413: POST /v1/printjobs'),
      onAnswer('503'),
    ],
    [
      'rate-limit.replicas',
      'The limit holds over all replicas of the gateway.',
      EXACT_OVER(2),
      EXACT_OVER(3),
      TWO_GATEWAYS,
    ],
    ['rate-limit.reset.range', '`RateLimit-Reset` is 0 or 1.', COUNT_DOWN],
    ['daily-cap.retry-after', '`Retry-After` of the daily cap leads to the next UTC day.', DAILY_CAP],
  ]),
]
