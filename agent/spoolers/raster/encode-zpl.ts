/** A page as a label in ZPL II: a graphic field whose dots are compressed (Z64). Pure. */
import { deflateSync } from 'node:zlib'
import type { Bitmap } from './bitmap.ts'

const CRC_POLYNOMIAL = 0x1021

/**
 * Resets what a raw label before may have set for all later labels. The characters of commands (`CT`, `CD`, `CC`): byte
 * 16 always begins a control command, also after `~CT`. Then the unit (`^MU`), dots per millimetre (`^JM`), orientation
 * (`^PO`), mirror image (`^PM`), reverse print (`^LR`) and position (`^LH`, `^LS`). The settings of the printer itself
 * remain: darkness, sensor, the top of the label.
 */
const RESET = '\x10CT~~CD,~CC^~CT~\n^XA^MUD^JMA^PON^PMN^LRN'

/** @param height of the label in dots, which counts on a roll without gaps. */
export function encodeZpl({ bytesPerRow, dots }: Bitmap, { width, height }: { width: number; height: number }): Buffer {
  const page = `${RESET}^PW${width}^LL${height}^LH0,0^LS0`
  // An empty graphic is an error.
  if (dots.length === 0) return Buffer.from(`${page}^XZ\n`)
  const text = deflateSync(dots, { level: 9 }).toString('base64')
  const crc = computeCrc(text).toString(16).toUpperCase().padStart(4, '0')
  const size = `${dots.length},${dots.length},${bytesPerRow}`
  return Buffer.from(`${page}^FO0,0^GFA,${size},:Z64:${text}:${crc}^FS^XZ\n`)
}

/** CRC-16/XMODEM. */
export function computeCrc(text: string): number {
  let crc = 0
  for (const byte of Buffer.from(text, 'latin1')) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ CRC_POLYNOMIAL) & 0xffff : (crc << 1) & 0xffff
  }
  return crc
}
