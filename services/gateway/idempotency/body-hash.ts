/**
 * Hashes a body independently of the order of its members, white space and escapes. Reference: docs/reference/idempotency.md#replay.
 *
 * The body is taken as it was parsed, before defaults are filled in: to leave out `qty` and to send 1 are two bodies. The document is
 * never held whole, so it is hashed by itself as it comes.
 */
import { createHash, createHmac } from 'node:crypto'

export interface BodyHash {
  /** Takes the next piece of the text of `content`, without escapes. */
  content(text: Buffer): void
  /** @param fields of the body, parsed, with a stand-in where the text of `content` was. To be called once. */
  end(fields: unknown): void
  /** Undefined before the end. */
  value(): Buffer | undefined
}

/** @param secret keeps who can read the hash from guessing what it was made of: bodies hold passwords. */
export function createBodyHash(secret: string): BodyHash {
  const content = createHash('sha256')
  let value: Buffer | undefined
  return {
    content: (text) => void content.update(text),
    end(fields) {
      value = createHmac('sha256', secret)
        .update(canonical([content.digest('hex'), fields]))
        .digest()
    },
    value: () => value,
  }
}

/** @param value as JSON's parser makes it. @returns the same text for the same value, which no other value has. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return typeof value === 'number' ? `${value}` : JSON.stringify(value)
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`
}
