import { ApiError } from '@platen/runtime/errors.ts'
import type { RouteStep } from '../context.ts'
import { readBody } from './read-body.ts'

const LIMIT_BYTES = 1024

/**
 * For writes without a body. Many clients send `{}` with every POST, which is accepted. Anything else is refused,
 * because the caller expects it to have an effect.
 */
export const refuseBody: RouteStep = async (ctx, next) => {
  const chunks: Buffer[] = []
  for await (const chunk of readBody(ctx, LIMIT_BYTES)) chunks.push(chunk)
  if (!/^\s*(\{\s*\})?\s*$/.test(Buffer.concat(chunks).toString()))
    throw new ApiError('invalid_request', 'This operation has no body. Send none, or an empty object.')
  await next()
}
