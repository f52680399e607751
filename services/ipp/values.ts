/** Decodes values of simple syntaxes, except for text without a language (RFC 8010, section 3.9). */
import type { IppResolution, IppValue } from './attributes.ts'
import { RESOLUTION_UNITS, SYNTAXES } from './tags.ts'

/** @returns null for an unknown syntax and for bytes that are invalid in the syntax. */
export function decodeValue(tag: number, bytes: Buffer): IppValue {
  return DECODERS[tag]?.(bytes) ?? null
}

const DECODERS: Record<number, (bytes: Buffer) => IppValue | undefined> = {
  [SYNTAXES.integer]: decodeInteger,
  [SYNTAXES.enum]: decodeInteger,
  [SYNTAXES.boolean]: (bytes) => (bytes.length === 1 ? bytes[0] !== 0 : undefined),
  [SYNTAXES.octetString]: (bytes) => bytes.toString(),
  [SYNTAXES.dateTime]: decodeDateTime,
  [SYNTAXES.resolution]: decodeResolution,
  [SYNTAXES.rangeOfInteger]: (bytes) =>
    bytes.length === 8 ? { lower: bytes.readInt32BE(0), upper: bytes.readInt32BE(4) } : undefined,
  [SYNTAXES.textWithLanguage]: decodeTextWithLanguage,
  [SYNTAXES.nameWithLanguage]: decodeTextWithLanguage,
}

function decodeInteger(bytes: Buffer): number | undefined {
  return bytes.length === 4 ? bytes.readInt32BE(0) : undefined
}

function decodeResolution(bytes: Buffer): IppResolution | undefined {
  if (bytes.length !== 9) return undefined
  const unit = bytes[8] === RESOLUTION_UNITS.dpi ? 'dpi' : bytes[8] === RESOLUTION_UNITS.dpcm ? 'dpcm' : undefined
  return unit && { x: bytes.readInt32BE(0), y: bytes.readInt32BE(4), unit }
}

/** The language is ignored. The text follows it with its own length. */
function decodeTextWithLanguage(bytes: Buffer): string | undefined {
  const textOffset = bytes.length >= 2 ? 4 + bytes.readUInt16BE(0) : Number.POSITIVE_INFINITY
  if (textOffset > bytes.length || textOffset + bytes.readUInt16BE(textOffset - 2) !== bytes.length) return undefined
  return bytes.toString('utf8', textOffset)
}

/** DateAndTime of RFC 2579: local time and its offset from UTC. */
function decodeDateTime(bytes: Buffer): Date | undefined {
  if (bytes.length !== 11) return undefined
  const [month = 0, day = 0, hour = 0, minute = 0, second = 0, tenths = 0] = bytes.subarray(2, 8)
  const [offsetHours = 0, offsetMinutes = 0] = bytes.subarray(9)
  const local = Date.UTC(bytes.readUInt16BE(0), month - 1, day, hour, minute, second, tenths * 100)
  const offsetMs = (offsetHours * 60 + offsetMinutes) * 60_000
  const time = new Date(bytes.toString('latin1', 8, 9) === '-' ? local + offsetMs : local - offsetMs)
  return Number.isNaN(time.getTime()) ? undefined : time
}
