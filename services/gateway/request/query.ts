import { z } from 'zod'
import type { RouteStep } from '../context.ts'
import { parseRequest } from './invalid-request.ts'

const NO_QUERY = z.strictObject({})

/** For routes that take no query parameters: one that is mistyped or not served must not pass unnoticed. */
export const refuseQuery: RouteStep = async (ctx, next) => {
  parseRequest(NO_QUERY, ctx.query, 'parameter')
  await next()
}
