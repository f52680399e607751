/**
 * Credentials of agents: 256 random bits, of which only the SHA-256 is stored, and a checksum, by which typing errors
 * cost no look-up.
 */
import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Metadata } from '@grpc/grpc-js'

/** Earlier credentials have no checksum. */
const BEARER = /^Bearer (platen_agent_[A-Za-z0-9_-]{43})([A-Za-z0-9_-]{6})?$/i

export function makeCredential(): string {
  const start = `platen_agent_${randomBytes(32).toString('base64url')}`
  return start + checksum(start)
}

/** A token for the enrolment of computers, stored like a credential. */
export function makeEnrollmentToken(): string {
  return `platen_enroll_${randomBytes(32).toString('base64url')}`
}

export function hashCredential(credential: string): Buffer {
  return createHash('sha256').update(credential).digest()
}

/** @returns the credential of a call, or undefined if it is missing or malformed. */
export function parseCredential(metadata: Metadata): string | undefined {
  const [header] = metadata.get('authorization')
  const [, start = '', end = ''] = BEARER.exec(String(header ?? '')) ?? []
  if (start === '' || (end !== '' && end !== checksum(start))) return undefined
  return start + end
}

function checksum(text: string): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32(text))
  return bytes.toString('base64url')
}
