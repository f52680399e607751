/** Reads the API key of a request. Reference: docs/reference/authentication.md#credentials. */
import type { IncomingMessage } from 'node:http'

/** A key is 61 characters; as Basic, 90. */
const HEADER_LIMIT_BYTES = 512

/** @returns what may be a key, or undefined when there is none; which of the reasons it was is nobody's business. */
export function apiKeyOf(request: IncomingMessage): string | undefined {
  const [header, ...more] = request.headersDistinct.authorization ?? []
  if (header === undefined || more.length > 0 || Buffer.byteLength(header) > HEADER_LIMIT_BYTES) return undefined
  const [, scheme, credentials] = /^([A-Za-z]+) +([^ ]+)$/.exec(header) ?? []
  if (scheme === undefined || credentials === undefined) return undefined
  return keyIn(scheme.toLowerCase(), credentials)
}

function keyIn(scheme: string, credentials: string): string | undefined {
  if (scheme === 'bearer') return credentials
  if (scheme !== 'basic') return undefined
  const decoded = Buffer.from(credentials, 'base64')
  // Node reads over what is not base64; such a header was not meant for us.
  if (decoded.toString('base64') !== credentials) return undefined
  const text = decoded.toString('latin1')
  const colon = text.indexOf(':')
  const password = text.slice(colon + 1)
  return colon >= 0 && password === '' ? text.slice(0, colon) : undefined
}
