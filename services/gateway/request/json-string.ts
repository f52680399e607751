/** Unescapes a long JSON string as its bytes arrive. Used by `content-scanner.ts`. */
import { ApiError } from '@platen/runtime/errors.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** Replaces half a surrogate pair, which UTF-8 cannot encode. Neither text nor base64 contains this byte. */
const LONE_SURROGATE = 0xff
/**
 * How much longer than its chunk the text can be: an escape and a lone surrogate that began in an earlier chunk end in
 * it.
 */
const CARRIED_BYTES = 4

const ESCAPES = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(
    ([name, meaning]) => [name, meaning.charCodeAt(0)],
  ),
)

export interface StringPiece {
  /** Unescaped; a view of the chunk if it had no escapes. */
  text: Buffer
  /** Bytes of the chunk, including the closing quote. */
  consumed: number
  ended: boolean
}

/**
 * Reads one string, starting after its opening quote.
 *
 * Most pieces are plain text, with at most the closing quote. Native searches find that, so this code does not read
 * most bytes. Pieces with escapes (PHP writes each `/` as `\/`) are read byte by byte.
 *
 * @returns a function that is called with one chunk after the other.
 * @throws ApiError `invalid_request` for an escape that JSON does not have. Control characters, which JSON does not
 *   permit either, are returned and then refused as invalid base64.
 */
export function unescapeString(): (chunk: Buffer) => StringPiece {
  /** The part of an escape after its backslash that has arrived; the escape can begin in an earlier chunk. */
  let begun: string | null = null
  /** The first half of a surrogate pair, which the second half must follow. */
  let high: number | null = null

  function withEscapes(chunk: Buffer): StringPiece {
    // Unescaped text is never longer: the 6 bytes of `\u00e9` become 2.
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
        const unit = parseEscape(begun)
        if (unit === undefined) continue
        begun = null
        length += write(unit, text, length)
      }
    }
    return { text: text.subarray(0, length), consumed: at, ended: false }
  }

  /** @returns the number of written bytes. */
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

/**
 * Copies up to the next quote or backslash. A loop, because about 60 bytes separate the escapes of PHP.
 *
 * @returns their number.
 */
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

/** @returns the UTF-16 unit of an escape; undefined while it is incomplete. */
function parseEscape(escaped: string): number | undefined {
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
  return new ApiError(
    'invalid_request',
    'The body is not valid JSON: `content` has an escape that JSON does not have.',
    {
      param: 'content',
    },
  )
}
