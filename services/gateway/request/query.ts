import { z } from 'zod'
import type { RouteStep } from '../context.ts'
import { invalidRequest } from './invalid-request.ts'

const NO_QUERY = z.strictObject({})

/** For routes that take no query parameters: one that is mistyped or not served must not pass unnoticed. */
export const refuseQuery: RouteStep = async (ctx, next) => {
  const parsed = NO_QUERY.safeParse(ctx.query)
  if (!parsed.success) throw invalidRequest(parsed.error)
  await next()
}
