/**
 * Looks up credentials in the accounts service and caches the results. Requests come in bursts, and a look-up for each
 * would double the work of a read.
 *
 * A flood of wrong credentials must cost little and must not block valid ones. They cost a part of a batch: accounts
 * gets at most 50 calls a second of each kind, each of which is one statement. They have a cache of their own, so that
 * they evict no valid one.
 */
import { createBatches } from '@platen/runtime/batches.ts'
import { createCache, createExpiringMap } from '@platen/runtime/cache.ts'
import { ApiError } from '@platen/runtime/errors.ts'

/**
 * A revoked key and an ended session stop working within this time (docs/reference/authentication.md#auth.revoked).
 * Starts before the look-up.
 */
const TTL_MS = 5_000
/** About 10 MB. */
const VALID_MAX = 10_000
/** About 2 MB. In a longer flood the oldest are looked up again. */
const UNKNOWN_MAX = 10_000

/** The longest wait of a look-up for its batch. Without other look-ups it starts at once. */
const LOOK_UP_INTERVAL_MS = 20
/** The largest batch of accounts. With this interval 25,000 credentials a second, more than a gateway receives. */
const LOOK_UP_MAX = 500

export interface LookUpsOptions<Found> {
  /** @returns the hash and the value of each valid one. */
  verify(sha256: Buffer[]): Promise<[sha256: Uint8Array, found: Found][]>
  /** The message for an unknown one. */
  unknown: string
  /** Milliseconds of a clock that is never set. */
  now?: (() => number) | undefined
}

export interface LookUps<Found> {
  /** @throws ApiError `unauthorized` for an unknown one; `service_unavailable` if the look-up fails. */
  find(sha256: Uint8Array): Promise<Found>
  /** After a change by this gateway. */
  delete(sha256: Uint8Array): void
}

export function createLookUps<Found>({ verify, unknown: message, now }: LookUpsOptions<Found>): LookUps<Found> {
  const valid = createCache<Found>({ ttlMs: TTL_MS, max: VALID_MAX, now })
  /** Keys by hash. */
  const unknown = createExpiringMap<true>({ ttlMs: TTL_MS, max: UNKNOWN_MAX, now })
  const lookUp = createBatches<string, { found: Found } | 'unknown'>({
    everyMs: LOOK_UP_INTERVAL_MS,
    maxItems: LOOK_UP_MAX,
    getKey: (hash) => hash,
    async run(hashes) {
      const answers = new Map<string, { found: Found } | 'unknown'>(hashes.map((hash) => [hash, 'unknown']))
      const verified = await verify(hashes.map((hash) => Buffer.from(hash, 'base64')))
      for (const [sha256, found] of verified) answers.set(toText(sha256), { found })
      return answers
    },
  })

  async function lookUpKnown(hash: string): Promise<Found> {
    const answer = await lookUp(hash)
    if (answer !== 'unknown') return answer.found
    unknown.set(hash, true)
    throw new ApiError('unauthorized', message)
  }

  return {
    async find(sha256) {
      const hash = toText(sha256)
      if (unknown.get(hash)) throw new ApiError('unauthorized', message)
      return await valid.get(hash, () => lookUpKnown(hash))
    },
    delete: (sha256) => valid.delete(toText(sha256)),
  }
}

const toText = (sha256: Uint8Array) => Buffer.from(sha256).toString('base64')
