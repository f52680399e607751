import { BODY_MAX_BYTES } from '@platen/resources/limits.ts'
import type { Step } from '../context.ts'
import { readBody } from '../request/read-body.ts'

const WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE'])

/** Discards the body of a GET or DELETE, which some clients send. */
export const discardBody: Step = async (ctx, next) => {
  if (WITHOUT_BODY.has(ctx.method))
    for await (const _ of readBody(ctx, BODY_MAX_BYTES)) {
      // Discarded.
    }
  await next()
}
