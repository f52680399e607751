/** The inside of a long JSON string, as its bytes come in. Used by `content-scanner.ts`. */
import { ApiError } from '@platen/runtime/errors.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** In the place of a character beyond ASCII: as little base64 as that one. */
const BEYOND_ASCII = 0xff

const ESCAPES = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(
    ([name, meaning]) => [name, meaning.charCodeAt(0)],
  ),
)

export interface StringPiece {
  /** Without escapes; lies in the chunk when there were none. */
  text: Buffer
  /** Bytes of the chunk, with the closing quote. */
  consumed: number
  ended: boolean
}

/**
 * Reads one string, beginning behind its opening quote.
 *
 * Nearly every piece is all text or has only the closing quote, which native search tells, so most bytes are never looked at
 * here. Where there are escapes (PHP writes each `/` as `\/`) it goes byte by byte.
 *
 * @returns a function to be called with one chunk after the other.
 * @throws ApiError `invalid_request` for an escape that JSON does not have. Control characters, which JSON has not either, are
 *   passed on: to people they are bad base64, and there they are refused.
 */
export function unescapeString(): (chunk: Buffer) => StringPiece {
  /** What has come of an escape, behind its backslash; it may have begun in an earlier chunk. */
  let begun: string | null = null

  function withEscapes(chunk: Buffer): StringPiece {
    // Unescaping never makes text longer.
    const text = Buffer.allocUnsafe(chunk.length)
    let length = 0
    let at = 0
    while (at < chunk.length) {
      if (begun === null) {
        const plain = copyPlain(chunk, at, text, length)
        at += plain
        length += plain
        if (at === chunk.length) break
        if (chunk[at++] === QUOTE) return { text: text.subarray(0, length), consumed: at, ended: true }
        begun = ''
      } else {
        begun += String.fromCharCode(chunk[at++] as number)
        const meaning = meaningOf(begun)
        if (meaning === undefined) continue
        text[length++] = meaning
        begun = null
      }
    }
    return { text: text.subarray(0, length), consumed: at, ended: false }
  }

  return (chunk) => {
    const quote = chunk.indexOf(QUOTE)
    const text = quote < 0 ? chunk : chunk.subarray(0, quote)
    if (begun !== null || text.includes(BACKSLASH)) return withEscapes(chunk)
    return quote < 0 ? { text, consumed: chunk.length, ended: false } : { text, consumed: quote + 1, ended: true }
  }
}

/** Copies up to the next quote or backslash. A loop, since between PHP's escapes there are some 60 bytes. @returns how many. */
function copyPlain(from: Buffer, at: number, to: Buffer, toAt: number): number {
  let count = 0
  for (; at + count < from.length; count++) {
    const byte = from[at + count] as number
    if (byte === QUOTE || byte === BACKSLASH) break
    to[toAt + count] = byte
  }
  return count
}

/** @returns the character that an escape stands for; undefined while more of it is to come. */
function meaningOf(escaped: string): number | undefined {
  if (escaped[0] !== 'u') {
    const meaning = ESCAPES.get(escaped)
    if (meaning === undefined) throw badEscape()
    return meaning
  }
  if (escaped.length < 5) return undefined
  if (!/^u[0-9a-fA-F]{4}$/.test(escaped)) throw badEscape()
  const unit = Number.parseInt(escaped.slice(1), 16)
  return unit < 0x80 ? unit : BEYOND_ASCII
}

function badEscape(): ApiError {
  return new ApiError('invalid_request', 'The body is not valid JSON: a string has an escape that does not exist.')
}
