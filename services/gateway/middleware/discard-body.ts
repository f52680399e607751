import { BODY_MAX_BYTES } from '@platen/resources/limits.ts'
import type { Step } from '../context.ts'
import { readBody } from '../request/read-body.ts'

const WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE'])

/** A GET or DELETE has no use for a body, but some clients send one: it is read over. */
export const discardBody: Step = async (ctx, next) => {
  if (WITHOUT_BODY.has(ctx.method))
    for await (const _ of readBody(ctx, BODY_MAX_BYTES)) {
      // Nothing to keep.
    }
  await next()
}
