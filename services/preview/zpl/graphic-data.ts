/** Decodes the data of `^GF`, `~DG` and `~DY`: hexadecimal with run lengths, base64, and compressed base64. */
import { inflate } from '../bitmap.ts'

export interface GraphicData {
  bytes: Uint8Array
  /** What a printer would complain about. */
  fault?: string
}

const COUNTS = 'GHIJKLMNOPQRSTUVWXY'
const TWENTIES = 'ghijklmnopqrstuvwxyz'

/**
 * @param rowBytes bytes of a row, which `,`, `!` and `:` complete or repeat.
 * @param totalBytes how many bytes the command announces.
 */
export function decodeGraphic(text: string, rowBytes: number, totalBytes: number): GraphicData {
  const encoded = /^:(B64|Z64):([^:]*)(?::([0-9A-Fa-f]{4}))?/.exec(text.trim())
  if (encoded) return decodeBase64(encoded[1] === 'Z64', encoded[2] ?? '', encoded[3], totalBytes)
  return { bytes: decodeHex(text, rowBytes, totalBytes) }
}

function decodeBase64(compressed: boolean, text: string, crc: string | undefined, totalBytes: number): GraphicData {
  const fault =
    crc && Number.parseInt(crc, 16) !== toCrc16(text)
      ? 'The CRC of the graphic is wrong, so printers ignore it.'
      : undefined
  let bytes: Uint8Array
  try {
    bytes = Uint8Array.from(atob(text.replace(/\s/g, '')), (char) => char.charCodeAt(0))
  } catch {
    return { bytes: new Uint8Array(), fault: 'The graphic is not valid base64.' }
  }
  if (!compressed) return { bytes, fault }
  try {
    return { bytes: inflate(bytes, totalBytes), fault }
  } catch {
    return { bytes: new Uint8Array(), fault: 'The compressed data of the graphic is damaged or longer than announced.' }
  }
}

/** CRC-16 with the polynomial 0x1021 and the start value 0, of the characters of the base64. */
function toCrc16(text: string): number {
  let crc = 0
  for (let at = 0; at < text.length; at++) {
    crc ^= text.charCodeAt(at) << 8
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return crc
}

function decodeHex(text: string, rowBytes: number, totalBytes: number): Uint8Array {
  const rowDigits = Math.max(1, rowBytes * 2)
  const digits = new Uint8Array(totalBytes * 2)
  let at = 0
  let count = 0
  const fill = (value: number, times: number) => {
    digits.fill(value, at, Math.min(digits.length, at + times))
    at += times
  }
  for (let index = 0; index < text.length && at < digits.length; index++) {
    const char = text.charAt(index)
    const few = COUNTS.indexOf(char)
    const many = TWENTIES.indexOf(char)
    if (few >= 0) count += few + 1
    else if (many >= 0) count += (many + 1) * 20
    else if (char === ',' || char === '!') {
      const rest = rowDigits - (at % rowDigits)
      fill(char === ',' ? 0 : 15, rest)
      count = 0
    } else if (char === ':') {
      const row = digits.slice(Math.max(0, at - rowDigits), at)
      digits.set(row.subarray(0, Math.max(0, digits.length - at)), at)
      at += rowDigits
      count = 0
    } else {
      const value = Number.parseInt(char, 16)
      if (Number.isNaN(value)) continue
      fill(value, count || 1)
      count = 0
    }
  }
  return Uint8Array.from(
    { length: totalBytes },
    (_, index) => ((digits[index * 2] ?? 0) << 4) | (digits[index * 2 + 1] ?? 0),
  )
}
