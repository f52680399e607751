import type { Step } from '../context.ts'
import { readBody } from '../request/read-body.ts'

const LIMIT_BYTES = 64 * 1024

/** A GET has no use for a body, but some clients send one: it is read over. */
export const discardBody: Step = async (ctx, next) => {
  if (ctx.method === 'GET' || ctx.method === 'HEAD')
    for await (const _ of readBody(ctx, LIMIT_BYTES)) {
      // Nothing to keep.
    }
  await next()
}
