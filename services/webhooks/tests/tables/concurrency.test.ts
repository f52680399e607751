import { expect, test } from 'vitest'
import {
  CONCURRENCY_FAST,
  CONCURRENCY_MAX,
  CONCURRENCY_SLOW,
  CONCURRENCY_UNREACHABLE,
  concurrencyAfter,
} from '../../delivery/concurrency.ts'
import type { ErrorClass } from '../../delivery/send.ts'

test.for<[ErrorClass | null, number, number]>([
  [null, 50, CONCURRENCY_MAX],
  [null, 51, CONCURRENCY_FAST],
  [null, 1_000, CONCURRENCY_FAST],
  [null, 1_001, CONCURRENCY_SLOW],
  ['status', 1_000, CONCURRENCY_FAST],
  ['redirect', 1_001, CONCURRENCY_SLOW],
  ['blocked_address', 0, CONCURRENCY_MAX],
  ['timeout', 15_000, CONCURRENCY_UNREACHABLE],
  ['dns', 1, CONCURRENCY_UNREACHABLE],
  ['connect', 1, CONCURRENCY_UNREACHABLE],
  ['tls', 1, CONCURRENCY_UNREACHABLE],
])(
  'an attempt with the error class %s that took %i ms leaves a concurrency of at most %i',
  ([errorClass, durationMs, concurrency]) => {
    expect(concurrencyAfter({ errorClass, durationMs })).toBe(concurrency)
  },
)
