/**
 * Decodes base64 piece by piece, and only what RFC 4648 section 4 allows: its alphabet, padding, no white space, no bits behind
 * the end. On the hot path of an upload, so it looks at bytes with native code only: Node's decoder reads over what is not
 * base64, and then comes out short, which is all that has to be checked. Used by `receive-print-job.ts`.
 */
import { ApiError } from '@platen/runtime/errors.ts'

const PAD = 0x3d // =
const URL_SAFE_62 = 0x2d // -
const URL_SAFE_63 = 0x5f // _
const NOTHING = Buffer.alloc(0)

export interface Base64Decoder {
  /** @throws ApiError `invalid_content` */
  push(text: Buffer): Buffer
  /** @throws ApiError `invalid_content` when the text ends within a group of four. */
  end(): void
}

export function createBase64Decoder(): Base64Decoder {
  /** The beginning of a group of four whose rest has not come yet. */
  let carry = NOTHING
  let ended = false

  return {
    push(piece) {
      if (piece.length === 0) return NOTHING
      if (ended) throw notBase64()
      const text = carry.length > 0 ? Buffer.concat([carry, piece]) : piece
      const pad = text.indexOf(PAD)
      const wholeGroups = text.length - (text.length % 4)
      const unpadded = pad < 0 ? wholeGroups : pad - (pad % 4)
      // A copy: the piece may be used again by whoever gave it.
      carry = Buffer.from(text.subarray(pad < 0 ? wholeGroups : unpadded))
      const decoded = decodeGroups(text.subarray(0, unpadded))
      if (pad < 0 || carry.length < 4) return decoded
      ended = true
      const last = decodeLastGroup(carry)
      carry = NOTHING
      return Buffer.concat([decoded, last])
    },
    end() {
      if (carry.length > 0) throw notBase64()
    },
  }
}

function decodeGroups(text: Buffer): Buffer {
  const decoded = Buffer.from(text.toString('latin1'), 'base64')
  const complete = decoded.length === (text.length / 4) * 3
  if (!complete || text.includes(URL_SAFE_62) || text.includes(URL_SAFE_63)) throw notBase64()
  return decoded
}

/** The group that has the padding: encoding it again must give the same text, or there were bits behind the end. */
function decodeLastGroup(group: Buffer): Buffer {
  const decoded = Buffer.from(group.toString('latin1'), 'base64')
  if (decoded.length === 0 || decoded.toString('base64') !== group.toString('latin1')) throw notBase64()
  return decoded
}

function notBase64(): ApiError {
  return new ApiError('invalid_content', '`content` is not strict standard base64 (RFC 4648, section 4, with padding).')
}
