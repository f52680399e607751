/**
 * Refuses unknown enrolment tokens. They are looked up like API keys. An existing token has the rate limit of a key.
 */
import { createHash } from 'node:crypto'
import type { FoundEnrollment } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { RouteStep } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { countRequest } from '../rate-limit/limit-rate.ts'
import { readCredential } from './credentials.ts'
import { createLookUps } from './look-ups.ts'

/** The form of the tokens that devices creates. */
const TOKEN = /^platen_enroll_[A-Za-z0-9_-]{43}$/

const UNKNOWN = 'This enrolment token does not exist or was revoked. Copy it again, or create a new one.'
const MISSING = 'No enrolment token was sent. Send `Authorization: Bearer platen_enroll_…`.'

/**
 * The token is sent like an API key, so that no URL and no body contains it. Only the enrolment itself checks whether
 * it can be used.
 */
export function requireEnrollmentToken({ clock, devices, rateLimiter, delayWrongCredentials }: Gateway): RouteStep {
  const lookUps = createLookUps<FoundEnrollment>({
    async verify(tokenSha256) {
      const { enrollments } = await devices.findEnrollments({ tokenSha256 })
      return enrollments.map((found) => [found.tokenSha256, found])
    },
    unknown: UNKNOWN,
    now: clock.monotonicMs,
  })
  return async (ctx, next) => {
    const token = readCredential(ctx.req, MISSING)
    const hash = createHash('sha256').update(token).digest()
    const { id, organizationId } = await delayWrongCredentials(ctx.req, async () => {
      if (!TOKEN.test(token)) throw new ApiError('unauthorized', UNKNOWN)
      return await lookUps.find(hash)
    })
    await countRequest(rateLimiter, ctx, { kind: 'token', id: hash.toString('base64'), organizationId })
    ctx.state.enrollment = { id, token, organizationId }
    await next()
  }
}
