import { z } from 'zod'

const NAME_LENGTH_MAX = 64

/** Text that a database and a printer can take: no NUL, no half of a surrogate pair. */
export function text(rule = 'must be a string') {
  return z.string(rule).refine((value) => value.isWellFormed() && !value.includes('\0'), {
    error: 'must not contain NUL or lone surrogates',
    abort: true,
  })
}

/** Limits count code points, so that an emoji is one character. */
export function shortText(maxCodePoints: number, minCodePoints = 1) {
  return text()
    .refine((value) => {
      // A code point is 1 or 2 UTF-16 units: nothing that cannot fit is counted.
      if (value.length > maxCodePoints * 2) return false
      const { length } = [...value]
      return length >= minCodePoints && length <= maxCodePoints
    }, `must have ${minCodePoints} to ${maxCodePoints} characters`)
    .meta({ minLength: minCodePoints, maxLength: maxCodePoints })
}

/** A name from the request, truncated for the message. */
export const quoted = (name: string): string => `\`${shortened(name)}\``

/** A name from the request, truncated. */
export const shortened = (name: string): string =>
  (name.length > NAME_LENGTH_MAX ? `${name.slice(0, NAME_LENGTH_MAX)}…` : name).toWellFormed()
