import { ApiError } from '@platen/runtime/errors.ts'
import type { RouteStep } from '../context.ts'
import { readBody } from './read-body.ts'

const LIMIT_BYTES = 1024

/**
 * For writes that take no body. Many clients send `{}` with every POST, which is let pass; anything else is something that the caller
 * believes to be heeded.
 */
export const refuseBody: RouteStep = async (ctx, next) => {
  const chunks: Buffer[] = []
  for await (const chunk of readBody(ctx, LIMIT_BYTES)) chunks.push(chunk)
  if (!/^\s*(\{\s*\})?\s*$/.test(Buffer.concat(chunks).toString()))
    throw new ApiError('invalid_request', 'This takes no body. Send it without one, or with an empty object.')
  await next()
}
