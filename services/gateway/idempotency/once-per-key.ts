/**
 * The header `Idempotency-Key`: however often a creation is sent with it, it makes one job. Source: specification, "Idempotency rules".
 *
 * The key is claimed before the body is read, so that of fifty requests at once one goes on. That one completes the key in the statement
 * that creates its job, or gives it back when it fails. The others are told to wait; once the job is made, each is compared with
 * the first body, without storing anything, and is answered with the job as it is now.
 */
import type { CompletedIdempotencyKey } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { printJobToJson } from '@platen/resources/print-job-to-json.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { type RequestContext, type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { required } from '../json/required.ts'
import { readBody } from '../request/read-body.ts'
import { createContentScanner } from '../upload/content-scanner.ts'
import { BODY_LIMIT_BYTES } from '../upload/receive-print-job.ts'
import { createBodyHash } from './body-hash.ts'
import { createClaim, makeClaim, settleClaim } from './claim.ts'
import { idempotencyKey } from './idempotency-key.ts'

/** Costs a request without the header nothing, and one with it one more call to jobs. */
export function oncePerKey(gateway: Gateway): RouteStep {
  return async (ctx, next) => {
    const key = idempotencyKey(ctx.req)
    if (key === undefined) return await next()
    const claim = createClaim(gateway, tenantOf(ctx), key)
    const completed = await makeClaim(gateway, claim)
    if (completed) return await replay(gateway, ctx, completed)
    ctx.state.claim = claim
    try {
      await next()
    } catch (error) {
      const jobId = await settleClaim(gateway, claim).catch(() => undefined)
      if (jobId === undefined) throw error
      await answerWithJob(gateway, ctx, jobId)
    }
  }
}

async function replay(gateway: Gateway, ctx: RequestContext, completed: CompletedIdempotencyKey): Promise<void> {
  const sent = await hashBody(ctx, gateway.bodyHashSecret)
  if (!sent.equals(completed.bodyHash))
    throw new ApiError(
      'idempotency_key_reused',
      'This `Idempotency-Key` has made a job from another body. Use a new key for each new job.',
    )
  await answerWithJob(gateway, ctx, completed.jobId)
  ctx.set('Idempotent-Replayed', 'true')
}

async function hashBody(ctx: RequestContext, secret: string): Promise<Buffer> {
  const scanner = createContentScanner()
  const hash = createBodyHash(secret)
  for await (const chunk of readBody(ctx, BODY_LIMIT_BYTES)) hash.content(scanner.push(chunk))
  return hash.end(scanner.end())
}

async function answerWithJob({ jobs }: Gateway, ctx: RequestContext, jobId: string): Promise<void> {
  const { job } = await jobs.getJob({ ...tenantOf(ctx), jobId })
  ctx.status = 201
  ctx.body = printJobToJson(required(job))
}
