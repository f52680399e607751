/**
 * The form of an API key (docs/reference/authentication.md#api-keys):
 * `platen_<mode>_<43 base62 characters of 256 random bits><6 base62 characters of CRC32>`.
 */
import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6

const PREFIX = 'platen'
const END = /^_(live|test)_[0-9A-Za-z]{49}$/

/** What of the secret people may see at either end of a key. */
const SHOWN_LENGTH = 4

export type Mode = 'live' | 'test'

/** @param prefix another one than today's is for tests of keys that were issued before a rename. */
export function makeApiKey(mode: Mode, prefix = PREFIX): string {
  const secret = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), SECRET_LENGTH)
  const start = `${prefix}_${mode}_${secret}`
  return start + checksum(start)
}

/**
 * Refuses typos and made-up keys without a look-up: the form is right and the checksum fits.
 *
 * @param olderPrefixes with which keys were issued before the product was called Platen. They are part of the checksum and of the
 * hash, so such a key is valid under the prefix alone with which it was issued.
 */
export function isWellFormedApiKey(text: string, olderPrefixes: readonly string[] = []): boolean {
  const prefix = [PREFIX, ...olderPrefixes].find((each) => text.startsWith(`${each}_`))
  if (prefix === undefined || !END.test(text.slice(prefix.length))) return false
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH)
}

/** All that is stored of a key and all that is sent to look it up. 32 bytes. */
export function hashApiKey(key: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(key).digest())
}

/** The readable start of a key: `platen_test_Ab3d`. */
export function apiKeyPrefix(key: string): string {
  return key.slice(0, key.length - SECRET_LENGTH - CHECKSUM_LENGTH + SHOWN_LENGTH)
}

export function apiKeyLastFour(key: string): string {
  return key.slice(-SHOWN_LENGTH)
}

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), CHECKSUM_LENGTH)
}

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = BASE62[Number(rest % 62n)] + text
  return text
}
