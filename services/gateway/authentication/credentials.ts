/** Reads the API key of a request. Reference: docs/reference/authentication.md#credentials. */
import type { IncomingMessage } from 'node:http'
import { ApiError } from '@platen/runtime/errors.ts'

/** A key is 61 characters; as Basic, 90. */
const HEADER_LIMIT_BYTES = 512

const NO_COLON = 'With Basic, encode the key followed by a colon, `KEY:`. The credentials have no colon.'
const WHITE_SPACE =
  'The credentials contain white space, such as the line break that `echo` adds. Encode only the key followed by a colon, `KEY:`.'

const KEY_AS_PASSWORD =
  'With Basic, the key is the user name and the password is empty: `KEY:`. The request has no user name, but a password.'

/**
 * @param missing the message for a request without a credential.
 * @returns what may be a key.
 * @throws ApiError `unauthorized`
 */
export function readCredential(request: IncomingMessage, missing: string): string {
  const [header, ...more] = request.headersDistinct.authorization ?? []
  const isReadable = header !== undefined && more.length === 0 && Buffer.byteLength(header) <= HEADER_LIMIT_BYTES
  const [, scheme = '', credentials = ''] = (isReadable && /^([A-Za-z]+) +([^ ]+)$/.exec(header)) || []
  const [key, password] = scheme.toLowerCase() === 'bearer' ? [credentials, ''] : decodeBasic(scheme, credentials)
  if (!key) throw new ApiError('unauthorized', password ? KEY_AS_PASSWORD : missing)
  if (password === undefined) throw new ApiError('unauthorized', NO_COLON)
  if (/\s/.test(key) || (password !== '' && password.trim() === '')) throw new ApiError('unauthorized', WHITE_SPACE)
  if (password !== '') throw new ApiError('unauthorized', 'The password must be empty.')
  return key
}

/** @returns user and password, the whole text without a colon; nothing for another scheme. */
function decodeBasic(scheme: string, credentials: string): string[] {
  const decoded = Buffer.from(credentials, 'base64')
  // Node ignores characters that are not base64.
  if (scheme.toLowerCase() !== 'basic' || decoded.toString('base64') !== credentials) return []
  const text = decoded.toString('latin1')
  const colon = text.indexOf(':')
  return colon < 0 ? [text] : [text.slice(0, colon), text.slice(colon + 1)]
}
