/** What an agent proves itself by: 256 random bits, of which only the SHA-256 is stored. */
import { createHash, randomBytes } from 'node:crypto'
import type { Metadata } from '@grpc/grpc-js'

const BEARER = /^Bearer (platen_agent_[A-Za-z0-9_-]{43})$/i

export function makeCredential(): string {
  return `platen_agent_${randomBytes(32).toString('base64url')}`
}

/** What an administrator gives to those who may join. Stored as credentials are. */
export function makeEnrollmentToken(): string {
  return `platen_enroll_${randomBytes(32).toString('base64url')}`
}

export function hashCredential(credential: string): Buffer {
  return createHash('sha256').update(credential).digest()
}

/** @returns the credential of a call, or nothing when it has none or one of another form. */
export function credentialOf(metadata: Metadata): string | undefined {
  const [header] = metadata.get('authorization')
  return BEARER.exec(String(header ?? ''))?.[1]
}
