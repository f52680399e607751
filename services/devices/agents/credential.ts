/** Credentials of agents: 256 random bits, of which only the SHA-256 is stored. */
import { createHash, randomBytes } from 'node:crypto'
import type { Metadata } from '@grpc/grpc-js'

const BEARER = /^Bearer (platen_agent_[A-Za-z0-9_-]{43})$/i

export function makeCredential(): string {
  return `platen_agent_${randomBytes(32).toString('base64url')}`
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
  return BEARER.exec(String(header ?? ''))?.[1]
}
