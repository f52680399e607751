/**
 * Creates one job or batch per `Idempotency-Key`, however often the request is sent. Reference:
 * docs/reference/idempotency.md.
 *
 * The statement of jobs that creates the job decides by the key and a hash of the body: a replay, another body, or a
 * new job. A failed request creates no job and stores no key. This step refuses a second request while this process
 * serves the first one. jobs decides about a second request at another gateway.
 */
import { batchToJson, printJobToJson } from '@platen/resources/print-job-schema.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { getTenant, type RouteStep } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { createBodyHash } from './body-hash.ts'
import { idempotencyKey } from './idempotency-key.ts'

/** The delay of a repetition that meets its first request. Clients wait longer from attempt to attempt. */
const IN_PROGRESS_SECONDS = 1

export function oncePerKey({ jobs, signingKeys }: Gateway): RouteStep {
  const active = new Set<string>()
  return async (ctx, next) => {
    const key = idempotencyKey(ctx.req)
    if (key === undefined) return await next()
    const { organizationId, mode } = getTenant(ctx)
    const scoped = `${organizationId} ${mode} ${key}`
    if (active.has(scoped))
      throw new ApiError(
        'idempotency_in_progress',
        'A request with this `Idempotency-Key` is still processing. Send the same request again after `Retry-After`.',
        { retryAfterSeconds: IN_PROGRESS_SECONDS, param: 'Idempotency-Key' },
      )
    active.add(scoped)
    const bodyHash = createBodyHash(signingKeys)
    const idempotency = { key, bodyHash, isSubmitted: false }
    ctx.state.idempotency = idempotency
    try {
      await next()
    } catch (error) {
      // The first request can have been valid, for example because its printer existed. A refusal by jobs is final.
      const bodyHashes = bodyHash.values()
      if (!bodyHashes || idempotency.isSubmitted || !(error instanceof ApiError) || error.status >= 500) throw error
      const { job, batch } = await jobs.getIdempotencyKey({ organizationId, mode, idempotency: { key, bodyHashes } })
      if (!job && !batch) throw error
      ctx.status = 201
      ctx.body = batch ? batchToJson(batch.jobs) : job && printJobToJson(job)
      ctx.set('Idempotent-Replayed', 'true')
    } finally {
      active.delete(scoped)
    }
  }
}
