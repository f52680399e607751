import type { FinishSignInRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Accounts } from '../accounts.ts'
import { MEMBERSHIPS, SESSION_COLUMNS, type Session, sessionToProto } from '../sessions.ts'
import { hashCode, isOperatorCode } from '../sign-in/codes.ts'
import { countSql, startSql, TRIES_MAX, WRONG_CODES_PER_DAY } from '../sign-in/limits.ts'

const OF_BROWSER = `challenge_sha256 = $1 AND wrong_codes < ${TRIES_MAX} AND NOT EXISTS (
  SELECT FROM accounts.sign_in_count WHERE kind = 'wrong codes' AND subject = limited_by
    AND period_start = ${startSql('day', '$3')} AND n >= ${WRONG_CODES_PER_DAY}
)`

const OF_OPERATOR = 'challenge_sha256 IS NULL AND $1::bytea IS NULL AND code_hmac = ANY ($2)'

/**
 * One statement, which locks the code, so that concurrent requests use it once and get 5 tries together. An address without access to an
 * organization is like a wrong code.
 */
const finish = (found: string) => `
WITH attempt AS MATERIALIZED (
  SELECT sign_in.id, limited_by, wrong_codes, member.id AS user_id,
    code_hmac = ANY ($2::bytea[]) AND EXISTS (SELECT FROM accounts.membership WHERE user_id = member.id) AS is_right
  FROM accounts.sign_in LEFT JOIN accounts.user AS member USING (email)
  WHERE expires_at > $3 AND ${found} LIMIT 1 FOR UPDATE OF sign_in
),
signed_in AS (SELECT * FROM attempt WHERE is_right),
used AS (DELETE FROM accounts.sign_in USING signed_in WHERE sign_in.id = signed_in.id),
refused AS (
  UPDATE accounts.sign_in SET wrong_codes = sign_in.wrong_codes + 1 FROM attempt WHERE sign_in.id = attempt.id AND NOT is_right
),
counted AS (
  ${countSql('wrong codes', 'SELECT limited_by FROM attempt WHERE NOT is_right', 'day', '$3', WRONG_CODES_PER_DAY)}
),
-- The browser can be known to several users.
forgotten AS (DELETE FROM accounts.known_browser USING signed_in WHERE token_sha256 = $10 AND known_browser.user_id = signed_in.user_id),
moved AS (
  UPDATE accounts.known_browser SET token_sha256 = $5 FROM signed_in
  WHERE token_sha256 = $10 AND known_browser.user_id <> signed_in.user_id
),
replaced AS (DELETE FROM accounts.session WHERE token_sha256 = $4 AND EXISTS (SELECT FROM signed_in)),
known AS (
  INSERT INTO accounts.known_browser (token_sha256, user_id, last_used_at) SELECT $5, user_id, $3 FROM signed_in
  ON CONFLICT (token_sha256, user_id) DO UPDATE SET last_used_at = excluded.last_used_at
),
session AS (
  INSERT INTO accounts.session (id, token_sha256, user_id, known_browser_sha256, browser, ip, created_at, last_used_at)
  SELECT $6, $7, user_id, $5, $8, $9, $3, $3 FROM signed_in RETURNING *
),
seen AS (UPDATE accounts.user AS member SET last_sign_in_at = $3 FROM signed_in WHERE member.id = signed_in.user_id),
-- The only row of the audit log without an intent before it, because the user is not known earlier. It commits together with the session.
audited AS (
  INSERT INTO accounts.audit (organization_id, id, at, actor_kind, actor_id, actor_name, action, target, outcome, request_id, ip)
  SELECT organization_id, $6, $3, 'user', member.id, member.email, 'finishSignIn', CASE WHEN is_right THEN $6::uuid END,
    CASE WHEN is_right THEN 'ok' ELSE 'sign_in_failed' END, $11, $9
  FROM attempt JOIN accounts.user AS member ON member.id = attempt.user_id JOIN accounts.membership ON membership.user_id = member.id
)
SELECT ${SESSION_COLUMNS}, ${MEMBERSHIPS} AS memberships, ${TRIES_MAX - 1} - wrong_codes AS "triesLeft"
FROM attempt LEFT JOIN session USING (user_id) LEFT JOIN accounts.user AS member ON member.id = user_id`

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
      ...[uuidv7(), sessionSha256, browser?.name ?? '', browser?.ip ?? '', replacedBrowserSha256, requestId],
    ],
  )
  const [found] = rows
  if (!found)
    throw new ApiError(
      'sign_in_failed',
      'This code has expired, or was used, or is not of this browser. Request a new one.',
    )
  if (found.id !== null) return { session: sessionToProto(accounts, found) }
  const { triesLeft } = found
  const next = triesLeft === 0 ? 'Request a new one.' : `${triesLeft} ${triesLeft === 1 ? 'try is' : 'tries are'} left.`
  throw new ApiError('sign_in_failed', `This code is wrong. ${next}`)
}
