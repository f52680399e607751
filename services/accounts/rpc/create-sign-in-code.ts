import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { CreateSignInCodeRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Accounts } from '../accounts.ts'
import * as fields from '../request-fields.ts'
import { hashCode, makeOperatorCode } from '../sign-in/codes.ts'
import { noUser } from './remove-user.ts'

const REQUEST = z.object({ email: fields.email })

const CREATE = `
INSERT INTO accounts.sign_in (id, email, code_hmac, browser, ip, created_at, expires_at)
SELECT $1, email, $3, '', '', $4, $5 FROM accounts.user WHERE email = $2`

/**
 * For an owner without access to the mailbox. The code is long, so that it needs no limits.
 *
 * @throws ApiError `invalid_request`; `not_found` for an address without a user.
 */
export async function createSignInCode(accounts: Accounts, request: CreateSignInCodeRequest) {
  const { email } = fields.parseRequest(REQUEST, request)
  const code = makeOperatorCode()
  const now = accounts.clock.now()
  const expiresAt = new Date(now.getTime() + accounts.signInCodeMs)
  const [hmac] = hashCode(accounts.signInKey, undefined, code)
  const { rowCount } = await accounts.pool.query(CREATE, [uuidv7(), email, hmac, now, expiresAt])
  if (rowCount === 0) throw noUser()
  return { code, expiresAt: timestampFromDate(expiresAt) }
}
