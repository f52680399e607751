/**
 * Decodes base64 piece by piece, strictly by RFC 4648 section 4: its alphabet, padding, no white space, no bits after
 * the end. It is on the hot path of an upload, so only native code reads the bytes. Node's decoder skips invalid
 * characters and then returns fewer bytes, so the length is sufficient as a check. Used by `document-decoder.ts`.
 */
import { ApiError } from '@platen/runtime/errors.ts'

const PAD = 0x3d // =
const DATA_URL = 'data:'
const URL_SAFE_62 = 0x2d // -
const URL_SAFE_63 = 0x5f // _
const NOTHING = Buffer.alloc(0)

export interface Base64Decoder {
  /** @throws ApiError `invalid_content` */
  push(text: Buffer): Buffer
  /** @throws ApiError `invalid_content` if the text ends within a group of four. */
  end(): void
}

export function createBase64Decoder(): Base64Decoder {
  /** The start of an incomplete group of four. */
  let carry = ''
  let ended = false
  /** The first characters, which decide whether it is a `data:` URL. */
  let start = ''

  return {
    push(piece) {
      if (piece.length === 0) return NOTHING
      if (start.length < DATA_URL.length) start += piece.toString('latin1', 0, DATA_URL.length)
      if (start.startsWith(DATA_URL)) throw notBase64('it begins with `data:`. Send what follows its comma')
      if (ended) throw notBase64(WRONG_PADDING)
      if (piece.includes(URL_SAFE_62) || piece.includes(URL_SAFE_63)) throw toFault(carry, piece)
      const total = carry.length + piece.length
      const unpadded = beforePadding(carry, piece)
      const wholeGroups = unpadded - (unpadded % 4)
      const decoded = wholeGroups > 0 ? decodeGroups(carry, piece, wholeGroups) : NOTHING
      const left = total - wholeGroups
      if (left > 4) throw toFault(carry, piece)
      carry = wholeGroups > 0 ? piece.toString('latin1', piece.length - left) : carry + piece.toString('latin1')
      if (left < 4) return decoded
      ended = true
      const last = decodeLastGroup(carry)
      carry = ''
      return Buffer.concat([decoded, last])
    },
    end() {
      if (carry !== '') throw notBase64('it ends early. Its padding (`=`) is missing, or it is cut off')
    },
  }
}

/** @returns how many characters of both together precede the first padding. */
function beforePadding(carry: string, piece: Buffer): number {
  const inCarry = carry.indexOf('=')
  if (inCarry >= 0) return inCarry
  const inPiece = piece.indexOf(PAD)
  return carry.length + (inPiece >= 0 ? inPiece : piece.length)
}

/**
 * Decodes into the returned buffer without a copy, because with 25 MB per upload each copy would burden the garbage
 * collector.
 *
 * @param length of all whole groups, the first of which starts with `carry`.
 */
function decodeGroups(carry: string, piece: Buffer, length: number): Buffer {
  const decoded = Buffer.allocUnsafe((length / 4) * 3)
  const fromPiece = carry === '' ? 0 : 4 - carry.length
  const first = decoded.write(carry + piece.toString('latin1', 0, fromPiece), 'base64')
  const rest = decoded.write(piece.toString('latin1', fromPiece, length - carry.length), first, 'base64')
  if (first + rest !== decoded.length) throw toFault(carry, piece)
  return decoded
}

/** Decodes the group with the padding. Its encoding must be the same text; otherwise it has bits after the end. */
function decodeLastGroup(group: string): Buffer {
  const decoded = Buffer.from(group, 'base64')
  if (decoded.length === 0 || decoded.toString('base64') !== group) throw toFault(group, NOTHING)
  return decoded
}

const WRONG_PADDING = 'its padding is wrong: one or two `=` end its last group of four characters, and nothing follows'
const CAUSES: [first: RegExp, cause: string][] = [
  [/[-_]/, 'it has the URL-safe alphabet (`-`, `_`). Send the standard one (`+`, `/`)'],
  [/\s/, 'it has white space. Only line breaks are allowed'],
  [/[^=]/, 'it has a character outside of its alphabet'],
  [/=/, WRONG_PADDING],
]

/** @returns the cause, by the first character outside of the alphabet. */
function toFault(carry: string, piece: Buffer): ApiError {
  const text = carry + piece.toString('latin1')
  const [first = ''] = /[^A-Za-z0-9+/]/.exec(text) ?? []
  const isPadded = /^[A-Za-z0-9+/]{2}([A-Za-z0-9+/]=|==)$/.test(text)
  if (isPadded) return notBase64('its last characters have bits after the last byte, so it was cut off or changed')
  return notBase64(CAUSES.find(([pattern]) => pattern.test(first))?.[1] ?? WRONG_PADDING)
}

const notBase64 = (cause: string) =>
  new ApiError('invalid_content', `\`content\` is not strict standard base64 (RFC 4648, section 4): ${cause}.`, {
    param: 'content',
  })
