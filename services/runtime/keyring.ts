/**
 * The keys of one purpose, written as `new,old`: the first key creates, and all keys are accepted. So a key is replaced
 * while replicas with different lists run (docs/operations/rotation.md). Used for calls of operators, for cursors and
 * body hashes, and by secret boxes.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

export type Keyring = readonly [Buffer, ...Buffer[]]

const split = (text: string) => text.split(',').map((key) => key.trim())

const keyring = (isKey: (text: string) => boolean, encoding: 'utf8' | 'base64url' | 'hex', message: string) =>
  z
    .string()
    .refine((text) => split(text).every(isKey), message)
    .transform((text) => split(text).map((key) => Buffer.from(key, encoding)) as unknown as Keyring)

const CREATES_SECRET = '`openssl rand -hex 32` creates one.'

/** One secret, which can be sent in a header. */
export const secret = z
  .string()
  .regex(/^[\x21-\x7e]{32,}$/, `must be at least 32 characters of ASCII without spaces; ${CREATES_SECRET}`)

/** Texts of at least 32 characters, without commas. */
export const secretKeyring = keyring(
  (text) => text.length >= 32,
  'utf8',
  `must be at least 32 characters, or several such secrets separated by commas; ${CREATES_SECRET}`,
)

/** Keys of 32 bytes, as base64url. */
export const key32Keyring = keyring(
  (text) => /^[A-Za-z0-9_-]{43}$/.test(text),
  'base64url',
  'must be 32 bytes as base64url, or several such keys separated by commas',
)

/** SHA-256 digests, as hexadecimal. */
export const sha256Keyring = keyring(
  (text) => /^[0-9a-f]{64}$/i.test(text),
  'hex',
  'must be a SHA-256 digest as 64 hexadecimal digits, or several such digests separated by commas',
)

/** The hash of a secret that is random and long, so a fast hash does not help to guess it. */
export const toSha256 = (secret: Buffer | string): Buffer => createHash('sha256').update(secret).digest()

/** Whether a value is one of those that the keys create. Always compares with all of them, each in constant time. */
export const matchesAny = (expected: readonly Buffer[], actual: Buffer): boolean =>
  expected.filter((value) => value.length === actual.length && timingSafeEqual(value, actual)).length > 0
