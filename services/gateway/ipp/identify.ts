import { ApiError } from '@platen/runtime/errors.ts'
import type { PrintAccesses } from '../authentication/print-access.ts'
import type { Caller } from '../caller.ts'
import type { RequestContext } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import type { Address } from './addresses.ts'

const HEADER_LIMIT_BYTES = 512

/**
 * The secret of a print access is the last part of the path, or the password of HTTP Basic with any user name.
 *
 * @returns undefined without a secret.
 * @throws ApiError `not_found` for an unknown secret in the path, as for no printer; `unauthorized` for an unknown
 *   password.
 */
export async function identify(
  { delayWrongCredentials }: Pick<Gateway, 'delayWrongCredentials'>,
  accesses: PrintAccesses,
  ctx: RequestContext,
  { secret }: Address,
): Promise<Caller | undefined> {
  const password = secret === undefined ? readPassword(ctx) : undefined
  const text = secret ?? password
  if (text === undefined) return undefined
  try {
    return await delayWrongCredentials(ctx.req, () => accesses.find(text))
  } catch (error) {
    if (secret === undefined || !(error instanceof ApiError) || error.code !== 'unauthorized') throw error
    throw new ApiError('not_found', 'There is no printer at this address.')
  }
}

/** @returns undefined without a password, which computers ask for after an answer. */
function readPassword({ req }: RequestContext): string | undefined {
  const [header = '', ...more] = req.headersDistinct.authorization ?? []
  const [, credentials = ''] = /^basic +([^ ]+)$/i.exec(header) ?? []
  if (more.length > 0 || header.length > HEADER_LIMIT_BYTES || credentials === '') return undefined
  const text = Buffer.from(credentials, 'base64').toString('latin1')
  const colon = text.indexOf(':')
  return colon < 0 ? undefined : text.slice(colon + 1)
}
