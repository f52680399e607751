/** The inside of a long JSON string, as its bytes come in. Used by `content-scanner.ts`. */
import { ApiError } from '@platen/runtime/errors.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const SMALL_U = 0x75
/** In the place of a character beyond ASCII: as little base64 as that one. */
const BEYOND_ASCII = 0xff

const ESCAPES = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(
    ([name, meaning]) => [name.charCodeAt(0), meaning.charCodeAt(0)],
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
  /** An escape that the last chunk ended in: what has come of it, behind the backslash. Null: none. */
  let begun: number[] | null = null

  function byteByByte(chunk: Buffer): StringPiece {
    // Unescaping never makes text longer.
    const text = Buffer.allocUnsafe(chunk.length)
    let length = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number
      if (begun) {
        begun.push(byte)
        const meaning = meaningOf(begun)
        if (meaning === undefined) continue
        text[length++] = meaning
        begun = null
      } else if (byte === BACKSLASH) begun = []
      else if (byte === QUOTE) return { text: text.subarray(0, length), consumed: at + 1, ended: true }
      else text[length++] = byte
    }
    return { text: text.subarray(0, length), consumed: chunk.length, ended: false }
  }

  return (chunk) => {
    const quote = chunk.indexOf(QUOTE)
    const text = quote < 0 ? chunk : chunk.subarray(0, quote)
    if (begun || text.includes(BACKSLASH)) return byteByByte(chunk)
    return quote < 0 ? { text, consumed: chunk.length, ended: false } : { text, consumed: quote + 1, ended: true }
  }
}

/** @returns the character that an escape stands for; undefined while more of it is to come. */
function meaningOf([kind, ...digits]: number[]): number | undefined {
  if (kind !== SMALL_U) {
    const meaning = kind === undefined ? undefined : ESCAPES.get(kind)
    if (meaning === undefined) throw badEscape()
    return meaning
  }
  if (digits.length < 4) return undefined
  const hex = String.fromCharCode(...digits)
  if (!/^[0-9a-fA-F]{4}$/.test(hex)) throw badEscape()
  const unit = Number.parseInt(hex, 16)
  return unit < 0x80 ? unit : BEYOND_ASCII
}

function badEscape(): ApiError {
  return new ApiError('invalid_request', 'The body is not valid JSON: a string has an escape that does not exist.')
}
