/**
 * Tells tokens that exist from made-up ones. A flood of those must cost little and keep nobody out: however many are asked for,
 * devices gets at most 200 calls a second, each of which is one statement; as with API keys.
 * One that exists has the rate limit of a key.
 */
import { createHash } from 'node:crypto'
import { createBatches } from '@platen/runtime/batches.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { RouteStep } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { countRequest } from '../rate-limit/limit-rate.ts'
import { apiKeyOf } from './credentials.ts'

/** As devices makes them. */
const TOKEN = /^platen_enroll_[A-Za-z0-9_-]{43}$/

const LOOK_UP_REST_MS = 5
/** What devices takes at once. */
const LOOK_UP_MAX = 500

/** The token stands where API keys do, so that it is in no URL and no body. Whether it is still good is known to the enrolment alone. */
export function requireEnrollmentToken({ devices, rateLimiter }: Gateway): RouteStep {
  const exists = createTokenLookUp(devices)
  return async (ctx, next) => {
    const token = apiKeyOf(ctx.req)
    if (token === undefined)
      throw new ApiError('unauthorized', 'Send an enrolment token: `Authorization: Bearer platen_enroll_…`.')
    const hash = createHash('sha256').update(token).digest('base64')
    if (!TOKEN.test(token) || !(await exists(hash)))
      throw new ApiError('unauthorized', 'There is no such enrolment token: copy it again, or make a new one.')
    await countRequest(rateLimiter, ctx, { kind: 'token', id: hash })
    ctx.state.enrollmentToken = token
    await next()
  }
}

/** @returns whether a token with this hash, in base64, was ever made. Who asks for one that is being asked for waits along. */
function createTokenLookUp(devices: Gateway['devices']): (hash: string) => Promise<boolean> {
  const lookUp = createBatches<string, boolean>({
    everyMs: LOOK_UP_REST_MS,
    maxItems: LOOK_UP_MAX,
    getKey: (hash) => hash,
    async run(hashes) {
      const asked = hashes.map((hash) => Buffer.from(hash, 'base64'))
      const { tokenSha256 } = await devices.findEnrollments({ tokenSha256: asked })
      const found = new Set(tokenSha256.map((hash) => Buffer.from(hash).toString('base64')))
      return new Map(hashes.map((hash) => [hash, found.has(hash)]))
    },
  })
  const underWay = new Map<string, Promise<boolean>>()
  return (hash) => {
    const known = underWay.get(hash)
    if (known) return known
    const asked = lookUp(hash).finally(() => underWay.delete(hash))
    underWay.set(hash, asked)
    return asked
  }
}
