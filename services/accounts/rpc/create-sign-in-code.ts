import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { CreateSignInCodeRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Accounts } from '../accounts.ts'
import { SignInEntity } from '../entities.ts'
import * as fields from '../request-fields.ts'
import { organizationSql } from '../sign-in/access.ts'
import { hashCode, makeOperatorCode } from '../sign-in/codes.ts'

const REQUEST = z.object({ email: fields.email })

const FIND_ACCESS = `SELECT WHERE ${organizationSql('$1::text', '$2::timestamptz')} IS NOT NULL`

/**
 * For a person without access to the mailbox. The code is long, so that it needs no limits.
 *
 * @throws ApiError `invalid_request`; `not_found` for an address without access.
 */
export async function createSignInCode(accounts: Accounts, request: CreateSignInCodeRequest) {
  const { email } = fields.parseRequest(REQUEST, request)
  const { orm, pool, clock, signInKey, signInCodeMs } = accounts
  const createdAt = clock.now()
  if ((await pool.query(FIND_ACCESS, [email, createdAt])).rowCount === 0)
    throw new ApiError('not_found', 'This address belongs to no member of an organization and has no open invitation.')
  const code = makeOperatorCode()
  const expiresAt = new Date(createdAt.getTime() + signInCodeMs)
  const [codeHmac] = hashCode(signInKey, undefined, code)
  await orm.em.fork().insert(SignInEntity, {
    ...{ id: uuidv7(), email, codeHmac, wrongCodes: 0, browser: '', ip: '', createdAt, expiresAt },
  })
  return { code, expiresAt: timestampFromDate(expiresAt) }
}
