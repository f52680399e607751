/** Reads an API key in the forms in which programs for PrintNode send it. */
import type { IncomingMessage } from 'node:http'
import { ApiError } from '@platen/runtime/errors.ts'

const HEADER_LIMIT_BYTES = 512

/** The headers of requests with an e-mail address and a password, or with the key of a client of PrintNode. */
const OTHER_CREDENTIALS = ['x-auth-with-account-credentials', 'x-auth-with-client-key']

/** The text that these programs show for a wrong key. */
export const unknownKey = () => new ApiError('unauthorized', 'API Key not found')

/**
 * HTTP Basic with the key as user, as password, or without a colon.
 *
 * @returns what may be a key.
 * @throws ApiError `unauthorized`
 */
export function readKey({ headers, headersDistinct }: IncomingMessage): string {
  if (OTHER_CREDENTIALS.some((name) => name in headers))
    throw new ApiError('unauthorized', 'Platen accepts only API keys here, no accounts and no keys of clients.')
  const [header = '', ...more] = headersDistinct.authorization ?? []
  const [, credentials = ''] = /^basic +([^ ]+)$/i.exec(header) ?? []
  if (more.length > 0 || header.length > HEADER_LIMIT_BYTES || credentials === '') throw unknownKey()
  const [user = '', password = ''] = Buffer.from(credentials, 'base64').toString('latin1').split(':')
  return user || password
}
