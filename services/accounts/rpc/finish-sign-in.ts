import type { FinishSignInRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { signIns } from '@platen/runtime/telemetry/metrics.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Accounts } from '../accounts.ts'
import { MEMBERSHIPS, SESSION_COLUMNS, type Session, sessionToProto } from '../sessions.ts'
import { organizationSql } from '../sign-in/access.ts'
import { hashCode, isOperatorCode } from '../sign-in/codes.ts'
import { TRIES_MAX } from '../sign-in/limits.ts'

const OF_BROWSER = `challenge_sha256 = $1 AND wrong_codes < ${TRIES_MAX}`

const OF_OPERATOR = 'challenge_sha256 IS NULL AND $1::bytea IS NULL AND code_hmac = ANY ($2)'

/**
 * One statement, which locks the code, so that concurrent requests use it once and get 5 tries together. An address
 * without access is like a wrong code. The first sign-in of an invited person creates the user.
 */
const finish = (found: string) => `
WITH attempt AS MATERIALIZED (
  SELECT sign_in.id, wrong_codes, email, member.id AS user_id,
    code_hmac = ANY ($2::bytea[]) AND ${organizationSql('sign_in.email', '$3')} IS NOT NULL AS is_right
  FROM accounts.sign_in LEFT JOIN accounts.user AS member USING (email)
  WHERE sign_in.expires_at > $3 AND ${found} LIMIT 1 FOR UPDATE OF sign_in
),
used AS (DELETE FROM accounts.sign_in USING attempt WHERE sign_in.id = attempt.id AND is_right),
refused AS (
  UPDATE accounts.sign_in SET wrong_codes = sign_in.wrong_codes + 1 FROM attempt
  WHERE sign_in.id = attempt.id AND NOT is_right
),
signed_in AS (
  INSERT INTO accounts.user (id, email, created_at, last_sign_in_at) SELECT $12, email, $3, $3 FROM attempt
  WHERE is_right
  ON CONFLICT (email) DO UPDATE SET last_sign_in_at = excluded.last_sign_in_at RETURNING id AS user_id, email
),
-- The browser can be known to several users.
forgotten AS (
  DELETE FROM accounts.known_browser USING signed_in
  WHERE token_sha256 = $10 AND known_browser.user_id = signed_in.user_id
),
moved AS (
  UPDATE accounts.known_browser SET token_sha256 = $5 FROM signed_in
  WHERE token_sha256 = $10 AND known_browser.user_id <> signed_in.user_id
),
replaced AS (DELETE FROM accounts.session WHERE token_sha256 = $4 AND EXISTS (SELECT FROM signed_in)),
known AS (
  INSERT INTO accounts.known_browser (token_sha256, user_id, last_used_at) SELECT $5, user_id, $3 FROM signed_in
),
session AS (
  INSERT INTO accounts.session (id, token_sha256, user_id, known_browser_sha256, browser, ip, created_at, last_used_at)
  SELECT $6, $7, user_id, $5, $8, $9, $3, $3 FROM signed_in RETURNING *
),
-- In the log of the user. The only row without an intent before it, because the user is not known earlier. It commits
-- together with the session.
audited AS (
  INSERT INTO accounts.audit (log_id, id, at, actor_kind, actor_id, actor_name, action, target, outcome, request_id, ip)
  SELECT user_id, $6, $3, 'user', user_id, email, 'finishSignIn', $6::uuid, 'ok', $11, $9 FROM signed_in
  UNION ALL SELECT user_id, $6, $3, 'user', user_id, email, 'finishSignIn', NULL, 'sign_in_failed', $11, $9
  FROM attempt WHERE NOT is_right AND user_id IS NOT NULL
)
SELECT ${SESSION_COLUMNS}, ${MEMBERSHIPS} AS memberships, ${TRIES_MAX - 1} - wrong_codes AS "triesLeft"
FROM attempt LEFT JOIN session ON true LEFT JOIN signed_in AS member ON true`

/** @throws ApiError `sign_in_failed` with the remaining tries. */
export async function finishSignIn(accounts: Accounts, request: FinishSignInRequest) {
  const { pool, clock, signInKey } = accounts
  const { code, sessionSha256, knownBrowserSha256, replacedSessionSha256, replacedBrowserSha256, browser, requestId } =
    request
  const challenge = isOperatorCode(code) ? undefined : request.challengeSha256
  const { rows } = await pool.query<(Session | { id: null }) & { triesLeft: number }>(
    finish(challenge ? OF_BROWSER : OF_OPERATOR),
    [
      ...[challenge, hashCode(signInKey, challenge, code), clock.now(), replacedSessionSha256, knownBrowserSha256],
      ...[uuidv7(), sessionSha256, browser?.name ?? '', browser?.ip ?? '', replacedBrowserSha256, requestId, uuidv7()],
    ],
  )
  const [found] = rows
  signIns.add(1, { outcome: found?.id ? 'succeeded' : 'refused' })
  if (found?.id) return { session: sessionToProto(accounts, found) }
  // A code of an operator has no tries. It is found if the person has lost the access since.
  if (!found || !challenge)
    throw new ApiError(
      'sign_in_failed',
      'This code has expired, or was used, or is not of this browser. Request a new one.',
    )
  const { triesLeft } = found
  const next = triesLeft === 0 ? 'Request a new one.' : `${triesLeft} ${triesLeft === 1 ? 'try is' : 'tries are'} left.`
  throw new ApiError('sign_in_failed', `This code is wrong. ${next}`)
}
