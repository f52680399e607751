import { randomUUID } from 'node:crypto'
import type { Step } from '../context.ts'

/** Safe in a log and in a header. */
const ACCEPTABLE = /^[A-Za-z0-9._-]{1,128}$/

/** Sets the id of the request, the caller's own if it is acceptable, and the header `X-Request-Id` of the response. */
export const nameRequest: Step = async (ctx, next) => {
  const sent = ctx.get('X-Request-Id')
  ctx.state.requestId = ACCEPTABLE.test(sent) ? sent : randomUUID()
  ctx.set('X-Request-Id', ctx.state.requestId)
  await next()
}
