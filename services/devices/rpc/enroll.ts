import type { EnrollRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { ENROLLMENT_LIMITS } from '@platen/resources/limits.ts'
import { budgetExceeded } from '@platen/runtime/budget.ts'
import { withAdvisoryLock } from '@platen/runtime/database/advisory-lock.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { organizationSuspended } from '@platen/runtime/suspended-organizations.ts'
import { v7 as uuidv7 } from 'uuid'
import { hashCredential, makeCredential } from '../agents/credential.ts'
import type { Devices } from '../devices.ts'
import { EnrollmentEntity, toComputerFacts } from '../entities.ts'

/**
 * The agent of the computer sent it: the present credential, or the one before it unless another agent uses the
 * computer.
 */
const IS_KNOWN = `(
  $5 IN (credential_sha256, new_credential_sha256) OR ($5 = revoked_credential_sha256 AND unauthorized_at IS NOT NULL)
)`

/** The same request enrolled the computer a moment ago, and its response may have been lost. */
const IS_REPEATED = `(enrollment_key_sha256 = $13 AND enrolled_at > $14)`

/**
 * One statement, so that only an enrolled computer uses the token. The lock on the token serializes concurrent
 * enrolments. A computer of the organization that sends its old credential keeps its id, also beyond the limit. So does
 * the computer of a repeated request, which does not use the token again and gets a new credential instead of the lost
 * one.
 */
const ENROLL = `
WITH live AS (
  SELECT computer.id, ${IS_REPEATED} IS TRUE AS is_repeated, ${IS_KNOWN} IS TRUE AS is_known
  FROM devices.enrollment JOIN devices.computer USING (organization_id)
  WHERE token_sha256 = $1 AND mode = 'live' AND deleted_at IS NULL
),
same AS (SELECT id, is_repeated FROM live WHERE is_repeated OR is_known ORDER BY is_repeated DESC LIMIT 1),
token AS (
  UPDATE devices.enrollment SET uses = uses + CASE WHEN EXISTS (SELECT FROM same WHERE is_repeated) THEN 0 ELSE 1 END
  WHERE token_sha256 = $1 AND (
    EXISTS (SELECT FROM same WHERE is_repeated)
    OR (uses < max_uses AND expires_at > $2 AND (EXISTS (SELECT FROM same) OR (SELECT count(*) FROM live) < $12)))
  RETURNING organization_id
),
renewed AS (
  UPDATE devices.computer
  SET credential_sha256 = $4, new_credential_sha256 = NULL, credential_issued_at = $2, run_id = '',
    revoked_credential_sha256 = CASE WHEN is_repeated THEN revoked_credential_sha256 ELSE $5 END, refused_at = NULL,
    enrollment_key_sha256 = $13, enrolled_at = CASE WHEN is_repeated THEN enrolled_at ELSE $2 END
  FROM token, same
  WHERE computer.id = same.id AND (is_repeated OR ${IS_KNOWN})
  RETURNING computer.id
),
added AS (
  INSERT INTO devices.computer
    (id, organization_id, mode, credential_sha256, created_at, name, hostname, os, os_version, arch, agent_version,
     enrollment_key_sha256, enrolled_at)
  SELECT $3, organization_id, 'live', $4, $2, $6, $7, $8, $9, $10, $11, $13, $2 FROM token
  WHERE NOT EXISTS (SELECT FROM renewed)
  RETURNING id
)
SELECT id FROM renewed UNION ALL SELECT id FROM added`

/**
 * @throws ApiError `unauthorized` with the reason why the token is refused; `quota_exceeded` at the limit of the plan
 *   or the installation; `organization_suspended`.
 */
export async function enroll(devices: Devices, request: EnrollRequest) {
  if (devices.suspended.has(request.organizationId)) throw organizationSuspended()
  const credential = makeCredential()
  const now = devices.clock.now()
  const tokenSha256 = hashCredential(request.token)
  const values = [
    tokenSha256,
    now,
    uuidv7(),
    hashCredential(credential),
    request.credential === undefined ? null : hashCredential(request.credential),
    ...toComputerFacts({ ...request, name: request.name || request.hostname }),
    Math.min(request.computersLimit ?? Number.POSITIVE_INFINITY, devices.computersMax),
    request.idempotencyKey === '' ? null : hashCredential(`${request.token} ${request.idempotencyKey}`),
    new Date(now.getTime() - ENROLLMENT_LIMITS.repeatSeconds * 1000),
  ]
  // One at a time, so that each counts the computers of the previous one.
  const { rows } = await withAdvisoryLock(
    devices.pool,
    `platen devices.computer ${request.organizationId}`,
    async (client) => await client.query<{ id: string }>(ENROLL, values),
  )
  if (!rows[0]) throw await findRefusal(devices, request, tokenSha256, now)
  return { computerId: rows[0].id, credential }
}

async function findRefusal(
  { orm, computersMax }: Devices,
  { computersLimit = Number.POSITIVE_INFINITY }: EnrollRequest,
  tokenSha256: Buffer,
  now: Date,
): Promise<ApiError> {
  const enrollment = await orm.em.fork().findOne(EnrollmentEntity, { tokenSha256 })
  if (!enrollment)
    return new ApiError(
      'unauthorized',
      'This enrolment token does not exist or was revoked. Copy it again, or create a new one.',
    )
  if (enrollment.expiresAt <= now)
    return new ApiError('unauthorized', 'The enrolment token has expired. Create a new one.')
  if (enrollment.uses >= enrollment.maxUses)
    return new ApiError('unauthorized', 'The enrolment token is used up. Create a new one.')
  if (computersMax < computersLimit) return budgetExceeded('computers', computersMax)
  return new ApiError(
    'quota_exceeded',
    `The plan of this organization permits ${computersLimit} ${computersLimit === 1 ? 'computer' : 'computers'}. Delete a computer, or choose a larger plan.`,
  )
}
