import { expect, test } from 'vitest'
import { PLACES_MAX, PLACES_SLOW, PLACES_UNREACHABLE, placesAfter } from '../../delivery/places.ts'
import type { ErrorClass } from '../../delivery/send.ts'

test.for<[ErrorClass | null, number, number]>([
  [null, 1_000, PLACES_MAX],
  [null, 1_001, PLACES_SLOW],
  ['status', 1_000, PLACES_MAX],
  ['redirect', 1_001, PLACES_SLOW],
  ['blocked_address', 0, PLACES_MAX],
  ['timeout', 15_000, PLACES_UNREACHABLE],
  ['dns', 1, PLACES_UNREACHABLE],
  ['connect', 1, PLACES_UNREACHABLE],
  ['tls', 1, PLACES_UNREACHABLE],
])(
  'an attempt with the error class %s that took %i ms leaves at most %i places',
  ([errorClass, durationMs, places]) => {
    expect(placesAfter({ errorClass, durationMs })).toBe(places)
  },
)
