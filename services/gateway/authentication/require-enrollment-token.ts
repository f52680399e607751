/**
 * Refuses unknown enrolment tokens. As with API keys, a flood of them must cost little and must not block others: devices gets at most
 * 200 calls a second, each of which is one statement. An existing token has the rate limit of a key.
 */
import { createHash } from 'node:crypto'
import type { FoundEnrollment } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
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

const UNKNOWN = 'This enrolment token does not exist or was revoked. Copy it again, or create a new one.'
const MISSING = 'No enrolment token was sent. Send `Authorization: Bearer platen_enroll_…`.'

/** The token is sent like an API key, so that no URL and no body contains it. Only the enrolment itself checks whether it can be used. */
export function requireEnrollmentToken({ devices, rateLimiter, delayWrongCredentials }: Gateway): RouteStep {
  const findEnrollment = createTokenLookUp(devices)
  return async (ctx, next) => {
    const token = readCredential(ctx.req, MISSING)
    const hash = createHash('sha256').update(token).digest('base64')
    const { id, organizationId } = await delayWrongCredentials(ctx.req, async () => {
      const found = TOKEN.test(token) ? await findEnrollment(hash) : null
      if (found === null) throw new ApiError('unauthorized', UNKNOWN)
      return found
    })
    await countRequest(rateLimiter, ctx, { kind: 'token', id: hash, organizationId })
    ctx.state.enrollment = { id, token, organizationId }
    await next()
  }
}

/**
 * @returns the token with this hash, in base64; null if no such token was created. Concurrent look-ups of
 *   one token share a request.
 */
function createTokenLookUp(devices: Gateway['devices']): (hash: string) => Promise<FoundEnrollment | null> {
  const lookUp = createBatches<string, FoundEnrollment | null>({
    everyMs: LOOK_UP_INTERVAL_MS,
    maxItems: LOOK_UP_MAX,
    getKey: (hash) => hash,
    async run(hashes) {
      const requested = hashes.map((hash) => Buffer.from(hash, 'base64'))
      const { enrollments } = await devices.findEnrollments({ tokenSha256: requested })
      const found = new Map(enrollments.map((one) => [Buffer.from(one.tokenSha256).toString('base64'), one]))
      return new Map(hashes.map((hash) => [hash, found.get(hash) ?? null]))
    },
  })
  const pendingLookUps = new Map<string, Promise<FoundEnrollment | null>>()
  return (hash) => {
    const pending = pendingLookUps.get(hash) ?? lookUp(hash).finally(() => pendingLookUps.delete(hash))
    pendingLookUps.set(hash, pending)
    return pending
  }
}
