/**
 * Creates one job per `Idempotency-Key`, however often the request is sent. Reference: docs/reference/idempotency.md.
 *
 * jobs decides in the statement that creates the job, by the key and a hash of the body: a replay, another body, or a new job. A request
 * that fails makes no job and leaves no key. Here a second request is refused while the first one is under way in this process; one
 * that comes to another gateway meanwhile is decided by jobs.
 */
import { printJobToJson } from '@platen/resources/print-job-to-json.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { createBodyHash } from './body-hash.ts'
import { idempotencyKey } from './idempotency-key.ts'

export function oncePerKey({ jobs, bodyHashSecret }: Gateway): RouteStep {
  const underWay = new Set<string>()
  return async (ctx, next) => {
    const key = idempotencyKey(ctx.req)
    if (key === undefined) return await next()
    const { organizationId, mode } = tenantOf(ctx)
    const scoped = `${organizationId} ${mode} ${key}`
    if (underWay.has(scoped))
      throw new ApiError(
        'idempotency_in_progress',
        'A request with this `Idempotency-Key` is still processing. Try again in a moment.',
      )
    underWay.add(scoped)
    const bodyHash = createBodyHash(bodyHashSecret)
    const idempotency = { key, bodyHash, isAsked: false }
    ctx.state.idempotency = idempotency
    try {
      await next()
    } catch (error) {
      // The first request may have been valid when it was sent: the printer may be gone since. What jobs has refused stays refused.
      const hash = bodyHash.value()
      if (!hash || idempotency.isAsked || !(error instanceof ApiError) || error.status >= 500) throw error
      const { job } = await jobs.getIdempotencyKey({ organizationId, mode, idempotency: { key, bodyHash: hash } })
      if (!job) throw error
      ctx.status = 201
      ctx.body = printJobToJson(job)
      ctx.set('Idempotent-Replayed', 'true')
    } finally {
      underWay.delete(scoped)
    }
  }
}
