import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { StartSignInRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { toClientNetwork } from '@platen/runtime/client-network.ts'
import { createSecretBox } from '@platen/runtime/secret-box.ts'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Accounts } from '../accounts.ts'
import * as fields from '../request-fields.ts'
import { hashCode, makeCode } from '../sign-in/codes.ts'
import { countSql, MAILS_PER_HOUR, SIGN_INS_OF_IP_PER_HOUR } from '../sign-in/limits.ts'

const REQUEST = z.object({ email: fields.email })

/**
 * A known browser has its own limits, and none of its IP address. Unknown browsers of other networks do not use up the
 * codes of a person. Over a limit nothing is stored, so no code is accepted.
 */
const START = `
WITH known AS (
  SELECT 'browser ' || encode(token_sha256, 'hex') || ' ' || user_id AS subject
  FROM accounts.known_browser JOIN accounts.user AS member ON member.id = user_id WHERE token_sha256 = $4 AND email = $2
),
of_ip AS (
  ${countSql('sign-ins of IP', 'SELECT $7 WHERE NOT EXISTS (SELECT FROM known)', '$8', SIGN_INS_OF_IP_PER_HOUR)}
),
permitted AS (
  ${countSql(
    'mails',
    `SELECT subject FROM known UNION ALL SELECT 'address ' || $2::text || ' from ' || $7 FROM of_ip`,
    '$8',
    MAILS_PER_HOUR,
  )}
)
INSERT INTO accounts.sign_in (id, email, challenge_sha256, limited_by, browser, ip, created_at, expires_at, code_hmac,
  encrypted_code, mail_due_at)
SELECT $1, $2, $3, subject, $5, $6, $8, $9, $10, $11, $8 FROM permitted`

/**
 * Stores a new code for the address, whether or not it has a user. The timer `send codes` sends the mail, so that the
 * duration of this call does not show which addresses have access.
 *
 * @throws ApiError `invalid_request`
 */
export async function startSignIn(accounts: Accounts, request: StartSignInRequest) {
  const { pool, clock, signInKey, signInCodeMs, hasMailServer } = accounts
  const { email } = fields.parseRequest(REQUEST, request)
  const { challengeSha256, knownBrowserSha256, browser } = request
  const id = uuidv7()
  const code = makeCode()
  const ip = browser?.ip ?? ''
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + signInCodeMs)
  const [hmac] = hashCode(signInKey, challengeSha256, code)
  const encrypted = createSecretBox(signInKey).encrypt(id, code)
  await pool.query(START, [
    ...[id, email, challengeSha256, knownBrowserSha256, browser?.name ?? '', ip, toClientNetwork(ip)],
    ...[now, expiresAt, hmac, encrypted],
  ])
  return { expiresAt: timestampFromDate(expiresAt), sentTo: hasMailServer ? 'mail' : 'terminal' }
}
