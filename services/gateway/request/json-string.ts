/** The inside of a long JSON string, as its bytes come in. Used by `content-scanner.ts`. */
import { ApiError } from '@platen/runtime/errors.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** In the place of half a surrogate pair, which UTF-8 does not have: neither text nor base64. */
const LONE_SURROGATE = 0xff
/** By which text may be longer than its chunk: an escape that began before it ends in it, and so does a lone surrogate. */
const CARRIED_BYTES = 4

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
  /** The first half of a surrogate pair, whose second must come at once. */
  let high: number | null = null

  function withEscapes(chunk: Buffer): StringPiece {
    // Unescaping never makes text longer: the 6 bytes of `\u00e9` are 2.
    const text = Buffer.allocUnsafe(chunk.length + CARRIED_BYTES)
    let length = 0
    let at = 0
    while (at < chunk.length) {
      if (begun === null) {
        if (high !== null && chunk[at] !== BACKSLASH) {
          text[length++] = LONE_SURROGATE
          high = null
        }
        const plain = copyPlain(chunk, at, text, length)
        at += plain
        length += plain
        if (at === chunk.length) break
        if (chunk[at++] === QUOTE) return { text: text.subarray(0, length), consumed: at, ended: true }
        begun = ''
      } else {
        begun += String.fromCharCode(chunk[at++] as number)
        const unit = unitOf(begun)
        if (unit === undefined) continue
        begun = null
        length += write(unit, text, length)
      }
    }
    return { text: text.subarray(0, length), consumed: at, ended: false }
  }

  /** @returns how many bytes it wrote. */
  function write(unit: number, text: Buffer, at: number): number {
    const first = high
    high = isHigh(unit) ? unit : null
    if (first !== null && isLow(unit)) return text.write(String.fromCharCode(first, unit), at)
    let end = at
    if (first !== null) text[end++] = LONE_SURROGATE
    if (isLow(unit)) text[end++] = LONE_SURROGATE
    else if (unit < 0x80) text[end++] = unit
    else if (high === null) end += text.write(String.fromCharCode(unit), end)
    return end - at
  }

  return (chunk) => {
    const quote = chunk.indexOf(QUOTE)
    const text = quote < 0 ? chunk : chunk.subarray(0, quote)
    if (begun !== null || high !== null || text.includes(BACKSLASH)) return withEscapes(chunk)
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

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff

/** @returns the UTF-16 unit that an escape stands for; undefined while more of it is to come. */
function unitOf(escaped: string): number | undefined {
  if (escaped[0] !== 'u') {
    const meaning = ESCAPES.get(escaped)
    if (meaning === undefined) throw badEscape()
    return meaning
  }
  if (escaped.length < 5) return undefined
  if (!/^u[0-9a-fA-F]{4}$/.test(escaped)) throw badEscape()
  return Number.parseInt(escaped.slice(1), 16)
}

function badEscape(): ApiError {
  return new ApiError('invalid_request', 'The body is not valid JSON: `content` has an escape that JSON does not have.')
}
