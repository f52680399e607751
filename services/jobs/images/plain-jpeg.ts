/** Whether and how a PDF can contain a JPEG as it is. Pure. */
import type { Size } from './lay-out-image.ts'

/** Baseline, extended and progressive, with Huffman coding. */
const FRAMES = [0xc0, 0xc1, 0xc2]
/** The other markers from 0xc0 to 0xcf belong to frames that a PDF cannot contain. */
const HUFFMAN_TABLE = 0xc4
const APP14 = 0xee
const ADOBE = 'Adobe'

export interface PlainJpeg {
  /** 1, 3 or 4. */
  components: number
  /** The mark of Adobe: its four colours are inverted, those of other programs are not. */
  isAdobe: boolean
}

/**
 * Recognizes a JPEG with 8 bits, Huffman coding, and one, three or four components.
 *
 * @param size as the decoder reads it. A JPEG that another reader could see otherwise is not plain.
 */
export function readPlainJpeg(bytes: Buffer, { width, height }: Size): PlainJpeg | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  let isAdobe = false
  let at = 2
  while (at + 10 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker === APP14) isAdobe = bytes.toString('latin1', at + 4, at + 4 + ADOBE.length) === ADOBE
    if (marker >= 0xc0 && marker <= 0xcf && marker !== HUFFMAN_TABLE) {
      const components = bytes[at + 9] ?? 0
      const isSame = bytes.readUInt16BE(at + 5) === height && bytes.readUInt16BE(at + 7) === width
      const isPlain = FRAMES.includes(marker) && bytes[at + 4] === 8 && isSame && [1, 3, 4].includes(components)
      return isPlain ? { components, isAdobe } : undefined
    }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}
