/** Rows of raw printer data. Pure. */

/** One step of the preview. Its rows fit into an element of a browser, even if every byte is a line. */
export const PART_BYTES = 1_000_000
export const HEX_ROW_BYTES = 16
/** The length of a row of text without a line end. */
const TEXT_ROW_BYTES = 120
const LINE_FEED = 10
const ROWS_MAX = PART_BYTES

/** @returns the start of each row of text, and the end of the last one. */
export function splitLines(part: Uint8Array): Uint32Array {
  const starts = new Uint32Array(Math.min(part.length, ROWS_MAX) + 1)
  let rows = 0
  for (let start = 0; start < part.length; ) {
    starts[rows++] = start
    const end = part.indexOf(LINE_FEED, start)
    start = Math.min(end === -1 ? part.length : end + 1, start + TEXT_ROW_BYTES)
  }
  starts[rows] = part.length
  return starts.slice(0, rows + 1)
}

const decoder = new TextDecoder()
/** U+2400 to U+2421 show control characters. */
const PICTURES = 0x2400
const DELETE = 127

export function toText(row: Uint8Array): string {
  const text = decoder.decode(row).replace(/\r?\n$/, '')
  return Array.from(text, (character) => {
    const code = character.charCodeAt(0)
    if (code === DELETE) return String.fromCharCode(PICTURES + 0x21)
    return code < 32 ? String.fromCharCode(PICTURES + code) : character
  }).join('')
}

/** "1b 40 48 65 …" and the characters of the bytes. */
export function toHex(row: Uint8Array): { bytes: string; characters: string } {
  const bytes = Array.from(row, (byte) => byte.toString(16).padStart(2, '0')).join(' ')
  const characters = Array.from(row, (byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : '·')).join('')
  return { bytes, characters }
}

/** @param query text, or bytes as "1b 40". @returns undefined for nothing to search for. */
export function toNeedle(query: string, isHex: boolean): Uint8Array | undefined {
  if (!isHex) return query === '' ? undefined : new TextEncoder().encode(query)
  const digits = query.replaceAll(/\s/g, '')
  if (!/^([0-9a-f]{2})+$/i.test(digits)) return undefined
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

/** Searches in steps of one part, so that the page stays responsive. @returns the offset, or -1. */
export async function find(bytes: Uint8Array, needle: Uint8Array, from: number, signal: AbortSignal): Promise<number> {
  const [first = 0] = needle
  let stepEnd = from + PART_BYTES
  for (let at = bytes.indexOf(first, from); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (at > stepEnd) {
      await new Promise((resolve) => setTimeout(resolve))
      if (signal.aborted) return -1
      stepEnd = at + PART_BYTES
    }
    if (needle.every((byte, index) => bytes[at + index] === byte)) return at
  }
  return -1
}
