/**
 * What one request holds its `Idempotency-Key` by, from before its body is read until its job is made or it has failed. Made and settled
 * by `once-per-key.ts`; `routes/create-print-job.ts` creates the job by it.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CompletedIdempotencyKey } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { ignoreAbort } from '@platen/runtime/timers.ts'
import type { Gateway } from '../gateway.ts'
import { type BodyHash, createBodyHash } from './body-hash.ts'

/** And twice as long each time: while jobs is away, many wait for it. */
const SETTLE_FIRST_AFTER_MS = 1_000
/** The lease of a claim: then another request may take the key over anyway (`services/jobs/idempotency-keys.ts`). */
const SETTLE_LIMIT_MS = 150_000

export interface Claim {
  /** The organization, the mode, the key, and the token that names this claim. */
  id: { organizationId: string; mode: string; key: string; claimToken: string }
  bodyHash: BodyHash
  /** What is to be done once it is certain that this request makes no job: its document leaves the store. */
  discard: () => Promise<void>
}

export function createClaim(
  { bodyHashSecret }: Gateway,
  tenant: { organizationId: string; mode: string },
  key: string,
): Claim {
  return {
    id: { ...tenant, key, claimToken: randomUUID() },
    bodyHash: createBodyHash(bodyHashSecret),
    discard: () => Promise.resolve(),
  }
}

/**
 * @returns what the key has made already; undefined when it is this request's now.
 * @throws ApiError `idempotency_in_progress` while it is another one's.
 */
export async function makeClaim(gateway: Gateway, claim: Claim): Promise<CompletedIdempotencyKey | undefined> {
  try {
    return (await gateway.jobs.claimIdempotencyKey(claim.id)).completed
  } catch (error) {
    // It may have been made all the same, and would then hold up the next try.
    const isRefused = error instanceof ApiError && error.code === 'idempotency_in_progress'
    if (!isRefused) void settleLater(gateway, claim)
    throw error
  }
}

/** @param fields of the body, parsed. @returns what the creation of the job completes the key with. */
export function completionOf({ id: { key, claimToken }, bodyHash }: Claim, fields: unknown) {
  return { key, claimToken, bodyHash: bodyHash.end(fields) }
}

/**
 * Gives the key back after a failure, unless the job was made after all: jobs may have gone away before it could say so.
 *
 * @returns the id of the job that was made.
 * @throws ApiError when this cannot be known for now. It is then asked again in the background, so that the key is free soon after jobs
 *   is back.
 */
export async function settleClaim(gateway: Gateway, claim: Claim): Promise<string | undefined> {
  try {
    return await release(gateway, claim)
  } catch (error) {
    void settleLater(gateway, claim)
    throw error
  }
}

async function release({ jobs }: Gateway, claim: Claim): Promise<string | undefined> {
  const { jobId } = await jobs.releaseIdempotencyKey(claim.id)
  if (jobId === undefined) await claim.discard()
  return jobId
}

/** Gives the key back as soon as jobs answers. For failures after which nobody waits for it. */
async function settleLater(gateway: Gateway, claim: Claim): Promise<void> {
  const { log, stopping } = gateway
  const startedAt = performance.now()
  let failure: unknown
  for (
    let pauseMs = SETTLE_FIRST_AFTER_MS;
    !stopping.aborted && performance.now() - startedAt < SETTLE_LIMIT_MS;
    pauseMs *= 2
  ) {
    await sleep(pauseMs, undefined, { signal: stopping }).catch(ignoreAbort)
    try {
      await release(gateway, claim)
      return
    } catch (error) {
      failure = error
    }
  }
  log.error({ err: failure }, 'an idempotency key waits for the end of its lease; a document without a job may stay')
}
