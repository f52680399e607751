/**
 * Hands creations to jobs a few at a time, in the order in which they came. A call between services has 5 s from when it is sent: of a
 * burst that is sent all at once, the last ones would be refused on a busy machine although each takes milliseconds.
 */
import { ApiError } from '@platen/runtime/errors.ts'
import pLimit from 'p-limit'
import type { Gateway } from './gateway.ts'

/** Four for each connection of jobs to its database: more would wait there instead. */
const CREATIONS_AT_ONCE = 32

/** While jobs hangs each turn takes the 5 s. With those, the answer comes before clients commonly give up (30 s). */
const TURN_WITHIN_MS = 20_000

/**
 * @param now milliseconds of a clock that is never set.
 * @returns the call to jobs. Throws what jobs does, and ApiError `service_unavailable` when no turn comes in time.
 */
export function createCreations({ jobs }: Pick<Gateway, 'jobs'>, now = () => performance.now()) {
  const inTurn = pLimit(CREATIONS_AT_ONCE)
  return async (request: Parameters<typeof jobs.createJob>[0]) => {
    const since = now()
    return await inTurn(async () => {
      if (now() - since > TURN_WITHIN_MS)
        throw new ApiError('service_unavailable', 'Too many jobs are being created. Try again in a moment.')
      return await jobs.createJob(request)
    })
  }
}
