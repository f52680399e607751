import type { FindEnrollmentsRequest } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Devices } from '../devices.ts'

const TOKENS_MAX = 500

/** One statement that uses the index of the hashes. */
export async function findEnrollments({ pool }: Devices, { tokenSha256 }: FindEnrollmentsRequest) {
  if (tokenSha256.length > TOKENS_MAX)
    throw new ApiError('invalid_request', `A call may contain at most ${TOKENS_MAX} tokens.`)
  const { rows } = await pool.query<{ id: string; tokenSha256: Buffer; organizationId: string }>({
    name: 'find enrollments',
    text: `SELECT id, token_sha256 AS "tokenSha256", organization_id AS "organizationId" FROM devices.enrollment
           WHERE token_sha256 = ANY($1)`,
    values: [tokenSha256.map((hash) => Buffer.from(hash))],
  })
  return { enrollments: rows }
}
