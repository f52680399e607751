/**
 * The form of the secret of a print access (docs/reference/print-access.md#secret): 24 characters of lower-case base32,
 * which are 120 random bits, and 2 of a checksum. It is a part of a path and can be typed.
 */
import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'
const BITS = 5
const SECRET_LENGTH = 24
const CHECKSUM_LENGTH = 2
const FORM = /^[a-z2-7]{26}$/

export function makePrintSecret(): string {
  const bits = BigInt(`0x${randomBytes((SECRET_LENGTH * BITS) / 8).toString('hex')}`)
  const secret = base32(bits, SECRET_LENGTH)
  return secret + checksum(secret)
}

/** Checks the form and the checksum, which detects typing errors without a lookup. */
export const isWellFormedPrintSecret = (text: string): boolean =>
  FORM.test(text) && checksum(text.slice(0, SECRET_LENGTH)) === text.slice(SECRET_LENGTH)

const checksum = (secret: string) => base32(BigInt(crc32(secret) >>> 0), CHECKSUM_LENGTH)

/** The lowest bits. */
function base32(value: bigint, length: number): string {
  let text = ''
  for (let left = value; text.length < length; left >>= BigInt(BITS)) text = BASE32[Number(left & 31n)] + text
  return text
}
