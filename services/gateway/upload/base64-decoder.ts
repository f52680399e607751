/**
 * Decodes base64 piece by piece, strictly by RFC 4648 section 4: its alphabet, padding, no white space, no bits after the end. It is on
 * the hot path of an upload, so only native code reads the bytes. Node's decoder skips invalid characters and then returns fewer bytes,
 * so the length is sufficient as a check. Used by `document-decoder.ts`.
 */
import { ApiError } from '@platen/runtime/errors.ts'

const PAD = 0x3d // =
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

  return {
    push(piece) {
      if (piece.length === 0) return NOTHING
      if (ended || piece.includes(URL_SAFE_62) || piece.includes(URL_SAFE_63)) throw notBase64()
      const total = carry.length + piece.length
      const unpadded = beforePadding(carry, piece)
      const wholeGroups = unpadded - (unpadded % 4)
      const decoded = wholeGroups > 0 ? decodeGroups(carry, piece, wholeGroups) : NOTHING
      const left = total - wholeGroups
      if (left > 4) throw notBase64()
      carry = wholeGroups > 0 ? piece.toString('latin1', piece.length - left) : carry + piece.toString('latin1')
      if (left < 4) return decoded
      ended = true
      const last = decodeLastGroup(carry)
      carry = ''
      return Buffer.concat([decoded, last])
    },
    end() {
      if (carry !== '') throw notBase64()
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
 * Decodes into the returned buffer without a copy, because with 25 MB per upload each copy would burden the garbage collector.
 *
 * @param length of all whole groups, the first of which starts with `carry`.
 */
function decodeGroups(carry: string, piece: Buffer, length: number): Buffer {
  const decoded = Buffer.allocUnsafe((length / 4) * 3)
  const fromPiece = carry === '' ? 0 : 4 - carry.length
  const first = decoded.write(carry + piece.toString('latin1', 0, fromPiece), 'base64')
  const rest = decoded.write(piece.toString('latin1', fromPiece, length - carry.length), first, 'base64')
  if (first + rest !== decoded.length) throw notBase64()
  return decoded
}

/** Decodes the group with the padding. Its encoding must be the same text; otherwise it has bits after the end. */
function decodeLastGroup(group: string): Buffer {
  const decoded = Buffer.from(group, 'base64')
  if (decoded.length === 0 || decoded.toString('base64') !== group) throw notBase64()
  return decoded
}

function notBase64(): ApiError {
  return new ApiError(
    'invalid_content',
    '`content` is not strict standard base64 (RFC 4648, section 4, with padding): no line breaks, no `data:` prefix.',
  )
}
