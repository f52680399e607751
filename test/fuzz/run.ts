/** Runs one property over many requests, in batches that are under way together as those of real clients are. */
import fc from 'fast-check'

/**
 * Fixed, so that a run fails only for what changed in the code; nightly runs and people hunting defects set
 * `PLATEN_FUZZ_SEED=random` or a number of their own.
 */
const DEFAULT_SEED = 20_260_102

function seedOf(setting: string | undefined): number {
  if (setting === undefined || setting === '') return DEFAULT_SEED
  if (setting === 'random') return Math.floor(Math.random() * 0x7fff_ffff)
  const seed = Number(setting)
  if (!Number.isSafeInteger(seed)) throw new Error('PLATEN_FUZZ_SEED must be an integer or `random`.')
  return seed
}

export const SEED = seedOf(process.env.PLATEN_FUZZ_SEED)
/** Of each operation. */
export const REQUESTS = Number(process.env.PLATEN_FUZZ_REQUESTS || 2_000)
const BATCH = 20
/** Finding a smaller example must not cost more than the test's own time limit. */
const SEARCH_LIMIT_MS = 200_000

/**
 * @param check throws when the gateway's answer is wrong.
 * @param batch as many are under way together.
 * @throws Error with the seed and the smallest example found.
 */
export async function forManyRequests<T>(
  requests: fc.Arbitrary<T>,
  check: (request: T) => Promise<void>,
  batch = BATCH,
): Promise<void> {
  const batches = fc.array(requests, { minLength: batch, maxLength: batch, size: 'max' })
  const property = fc.asyncProperty(batches, async (together) => {
    const results = await Promise.allSettled(together.map(check))
    const failed = results.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
  })
  const details = await fc.check(property, {
    seed: SEED,
    numRuns: Math.ceil(REQUESTS / batch),
    interruptAfterTimeLimit: SEARCH_LIMIT_MS,
    markInterruptAsFailure: true,
  })
  if (!details.failed) return
  const { errorInstance, numRuns } = details
  const why = errorInstance instanceof Error ? errorInstance.message : 'interrupted: took too long'
  throw new Error(`PLATEN_FUZZ_SEED=${SEED} (batch ${numRuns}): ${why}`, {
    cause: errorInstance,
  })
}
