/**
 * Refuses unknown enrolment tokens. As with API keys, a flood of them must cost little and must not block others: devices gets at most
 * 200 calls a second, each of which is one statement. An existing token has the rate limit of a key.
 */
import { createHash } from 'node:crypto'
import { createBatches } from '@platen/runtime/batches.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { RouteStep } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { countRequest } from '../rate-limit/limit-rate.ts'
import { readCredential } from './credentials.ts'

/** As devices creates them. */
const TOKEN = /^platen_enroll_[A-Za-z0-9_-]{43}$/

const LOOK_UP_INTERVAL_MS = 5
/** The largest batch of devices. */
const LOOK_UP_MAX = 500

const MISSING = 'No enrolment token was sent. Send `Authorization: Bearer platen_enroll_…`.'

/** The token is sent like an API key, so that no URL and no body contains it. Only the enrolment itself checks whether it can be used. */
export function requireEnrollmentToken({ devices, rateLimiter }: Gateway): RouteStep {
  const exists = createTokenLookUp(devices)
  return async (ctx, next) => {
    const token = readCredential(ctx.req, MISSING)
    const hash = createHash('sha256').update(token).digest('base64')
    if (!TOKEN.test(token) || !(await exists(hash)))
      throw new ApiError(
        'unauthorized',
        'This enrolment token does not exist or was revoked. Copy it again, or create a new one.',
      )
    await countRequest(rateLimiter, ctx, { kind: 'token', id: hash })
    ctx.state.enrollmentToken = token
    await next()
  }
}

/** @returns whether a token with this hash, in base64, was ever created. Concurrent look-ups of one token share a request. */
function createTokenLookUp(devices: Gateway['devices']): (hash: string) => Promise<boolean> {
  const lookUp = createBatches<string, boolean>({
    everyMs: LOOK_UP_INTERVAL_MS,
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
