import { PRINT_JOB_LIMITS } from '@platen/resources/limits.ts'
import type { Clock } from '@platen/runtime/clock.ts'
import { ApiError } from '@platen/runtime/errors.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * A time in the past is no error: the job is printed at once.
 *
 * @throws ApiError `invalid_request` for a time that is too far ahead.
 */
export function checkNotBefore(clock: Clock, notBefore: Date | undefined): void {
  const { notBeforeDays } = PRINT_JOB_LIMITS
  if (notBefore === undefined || notBefore.getTime() <= clock.now().getTime() + notBeforeDays * DAY_MS) return
  throw new ApiError('invalid_request', `\`notBefore\`: must be at most ${notBeforeDays} days ahead.`, {
    param: 'notBefore',
  })
}
