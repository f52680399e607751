/**
 * Hashes a body independently of the order of its members, white space and escapes. Reference:
 * docs/reference/idempotency.md#replay.
 *
 * Hashes the parsed body without defaults, so that a body without `qty` and one with `qty` 1 differ. The document has a
 * hash of its own, because it is never held whole.
 */
import { createHash, createHmac, createSecretKey } from 'node:crypto'
import type { Keyring } from '@platen/runtime/keyring.ts'

export interface BodyHash {
  /** Adds the next piece of the text of `content`, without escapes. */
  content(text: Buffer): void
  /** Called once. @param fields the parsed body, with a stand-in for the text of `content`. */
  end(fields: unknown): void
  /** One hash for each key, in their order. Undefined before the end. */
  values(): Buffer[] | undefined
}

/** @param keyring prevents that a password in the body can be guessed from the hash. */
export function createBodyHash(keyring: Keyring): BodyHash {
  const content = createHash('sha256')
  let values: Buffer[] | undefined
  return {
    content: (text) => void content.update(text),
    end(fields) {
      const body = canonical([content.digest('hex'), fields])
      // An HMAC of a Buffer takes four times as long.
      values = keyring.map((key) => createHmac('sha256', createSecretKey(key)).update(body).digest())
    },
    values: () => values,
  }
}

/** @param value parsed JSON. @returns a text that equal values share and different values do not. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return typeof value === 'number' ? `${value}` : JSON.stringify(value)
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`
}
