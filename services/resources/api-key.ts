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
const SUFFIX = /^_(live|test)_[0-9A-Za-z]{49}$/

/** The number of characters that are shown at the start and at the end of the secret. */
const SHOWN_LENGTH = 4

/** @param prefix tests pass an older one. */
export function makeApiKey(mode: 'live' | 'test', prefix = PREFIX): string {
  const secret = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), SECRET_LENGTH)
  const start = `${prefix}_${mode}_${secret}`
  return start + checksum(start)
}

/**
 * Checks the form and the checksum of a key, which detects typing errors without a lookup.
 *
 * @param olderPrefixes also accepted: the prefixes of keys that were issued under earlier names of the product. The
 *   checksum and the hash include the prefix, so that a key is only valid with the prefix under which it was issued.
 */
export function isWellFormedApiKey(text: string, olderPrefixes: readonly string[] = []): boolean {
  const prefix = [PREFIX, ...olderPrefixes].find((each) => text.startsWith(`${each}_`))
  if (prefix === undefined || !SUFFIX.test(text.slice(prefix.length))) return false
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH)
}

/** Only this hash of a key is stored and sent for its lookup. 32 bytes. */
export function hashApiKey(key: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(key).digest())
}

/** The readable start of a key: `platen_test_Ab3d`. */
export function toKeyPrefix(key: string): string {
  return key.slice(0, key.length - SECRET_LENGTH - CHECKSUM_LENGTH + SHOWN_LENGTH)
}

export function toLastFour(key: string): string {
  return key.slice(-SHOWN_LENGTH)
}

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), CHECKSUM_LENGTH)
}

function base62(value: bigint, length: number): string {
  let text = ''
  for (let left = value; text.length < length; left /= 62n) text = BASE62[Number(left % 62n)] + text
  return text
}
