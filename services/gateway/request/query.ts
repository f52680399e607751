import { z } from 'zod'
import type { RouteStep } from '../context.ts'
import { parseRequest } from './invalid-request.ts'

const NO_QUERY = z.strictObject({})

/** For routes without query parameters. A mistyped or unsupported parameter is refused instead of ignored. */
export const refuseQuery: RouteStep = async (ctx, next) => {
  parseRequest(NO_QUERY, ctx.query, 'parameter')
  await next()
}
