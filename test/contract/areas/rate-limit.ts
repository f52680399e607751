import { type Entry, entries, NOT_BUILT } from '../entry.ts'
import { creationLimit, DAILY_CAP, PAST_DAILY_CAP } from '../named-tests.ts'

export const RATE_LIMIT: Entry[] = [
  ...entries('specification: Limits', [
    ['rate-limit.20', '20 requests in one second with one key are accepted.', NOT_BUILT],
    ['rate-limit.21', 'The 21st request in the same second is 429 `rate_limited`.', NOT_BUILT],
    ['rate-limit.next-window', 'The next request after `Retry-After` is accepted.', NOT_BUILT],
    ['rate-limit.per-key', 'Another key of the organization is not affected.', NOT_BUILT],
    ['rate-limit.header.Retry-After', 'A `rate_limited` answer has `Retry-After` in whole seconds.', NOT_BUILT],
    ['rate-limit.header.RateLimit-Limit', '`RateLimit-Limit` is 20.', NOT_BUILT],
    ['rate-limit.header.RateLimit-Remaining', '`RateLimit-Remaining` counts down within the second.', NOT_BUILT],
    ['rate-limit.header.RateLimit-Reset', '`RateLimit-Reset` says when the window frees a request.', NOT_BUILT],
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
    ['rate-limit.headers.everywhere', 'Every authenticated answer has the headers, errors too.', NOT_BUILT],
    ['rate-limit.replicas', 'The limit holds over all replicas of the gateway.', NOT_BUILT],
    ['rate-limit.reset.range', '`RateLimit-Reset` is 0 or 1.', NOT_BUILT],
    ['daily-cap.retry-after', '`Retry-After` of the daily cap leads to the next UTC day.', DAILY_CAP],
  ]),
]
