/** Sign-in codes: 6 digits that work in one browser, or 12 digits of an operator that work in any. */
import { createHmac, randomInt } from 'node:crypto'
import type { Keyring } from '@platen/runtime/keyring.ts'

export const makeCode = (): string => String(randomInt(10 ** 6)).padStart(6, '0')

/** Random integers are limited to 48 bits, which suffices. */
export const makeOperatorCode = (): string => String(randomInt(10 ** 12)).padStart(12, '0')

export const isOperatorCode = (code: string): boolean => code.length === 12

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
