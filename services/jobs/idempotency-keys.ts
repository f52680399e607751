/**
 * Idempotency keys have a row from the statement that makes their job on (`create-jobs.ts`) until they are too old
 * (`timers/sweep-idempotency-keys.ts`). A request that makes no job leaves none.
 */
import { ApiError } from '@platen/runtime/errors.ts'

export const keyReused = () =>
  new ApiError(
    'idempotency_key_reused',
    'This `Idempotency-Key` has made a job from another body. Use a new key for each new job.',
  )
