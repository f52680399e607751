import { randomUUID } from 'node:crypto'
import type { Step } from '../context.ts'

/** What may go into a log and back into a header as it came. */
const ACCEPTABLE = /^[A-Za-z0-9._-]{1,128}$/

/** Gives the request an id, the caller's own when it is harmless, and every answer the header `X-Request-Id`. */
export const nameRequest: Step = async (ctx, next) => {
  const sent = ctx.get('X-Request-Id')
  ctx.state.requestId = ACCEPTABLE.test(sent) ? sent : randomUUID()
  ctx.set('X-Request-Id', ctx.state.requestId)
  await next()
}
