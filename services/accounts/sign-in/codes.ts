/** Sign-in codes: 8 characters that work in one browser, or 12 of an operator that work in any. */
import { createHmac, randomInt } from 'node:crypto'
import type { Keyring } from '@platen/runtime/keyring.ts'

/** Crockford's Base32: the gateway reads O as 0, I and L as 1. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const OPERATOR_LENGTH = 12

const make = (length: number) => Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** 40 bits, so that its few tries need no limit for all codes of an address. */
export const makeCode = (): string => make(8)

/** 60 bits, because any browser can try any of them. */
export const makeOperatorCode = (): string => make(OPERATOR_LENGTH)

export const isOperatorCode = (code: string): boolean => code.length === OPERATOR_LENGTH

/** "ABCD-2345", easier to copy by hand. */
export const formatCode = (code: string): string => code.replaceAll(/.{4}(?=.)/g, '$&-')

/**
 * @param challenge of the browser; none for an operator's code.
 * @returns one HMAC for each key of the keyring. The first is stored.
 */
export const hashCode = (keyring: Keyring, challenge: Uint8Array | undefined, code: string): [Buffer, ...Buffer[]] => {
  const [first, ...others] = keyring
  const hash = (key: Buffer) =>
    createHmac('sha256', key)
      .update(challenge ?? 'operator')
      .update(code)
      .digest()
  return [hash(first), ...others.map(hash)]
}
