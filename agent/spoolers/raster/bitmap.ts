/** Converts grey pixels to dots. Pure. */
import type { Rectangle } from '../pdf/placement.ts'

/** Rows of dots from the top. The highest bit of a byte is the left dot; 1 is black. */
export interface Bitmap {
  width: number
  height: number
  bytesPerRow: number
  dots: Buffer
}

/** Grey text and the edges of letters are rather black, because printers for labels have no grey. */
const THRESHOLD = 160
const MIDDLE = 128

/** Values that are neither nearly black nor nearly white. */
const isTone = (value: number) => value >= 32 && value < 224

/** Of an image with tones. The edges of letters and bars in a scaled picture of a label are fewer. */
const TONES_MIN = 0.25

/**
 * Text, bars and lines are black from a threshold on. Images with tones are dithered (Floyd-Steinberg). White rows at the end are omitted.
 *
 * @param gray one byte a pixel. @param images their areas, which can exceed the page.
 */
export function toBitmap(gray: Uint8Array, width: number, height: number, images: Rectangle[]): Bitmap {
  const areas = images.map((image) => clip(image, width, height)).filter((area) => hasTones(gray, width, area))
  const bytesPerRow = Math.ceil(width / 8)
  const dots = Buffer.alloc(bytesPerRow * height)
  let usedRows = 0
  let errors = new Float32Array(width + 2)
  for (let y = 0; y < height; y++) {
    const dithered = areas.filter((area) => y >= area.y && y < area.y + area.height)
    const next = new Float32Array(width + 2)
    for (let x = 0; x < width; x++) {
      const value = gray[y * width + x] ?? 255
      const isDithered = dithered.some((area) => x >= area.x && x < area.x + area.width)
      const wanted = isDithered ? value + (errors[x + 1] ?? 0) : value
      const isBlack = wanted < (isDithered ? MIDDLE : THRESHOLD)
      if (isBlack) {
        const at = y * bytesPerRow + (x >> 3)
        dots[at] = (dots[at] ?? 0) | (0x80 >> (x & 7))
        usedRows = y + 1
      }
      if (isDithered) spread(wanted - (isBlack ? 0 : 255), x + 1, errors, next)
    }
    errors = next
  }
  return { width, height: usedRows, bytesPerRow, dots: dots.subarray(0, usedRows * bytesPerRow) }
}

function spread(error: number, at: number, row: Float32Array, next: Float32Array): void {
  row[at + 1] = (row[at + 1] ?? 0) + (error * 7) / 16
  next[at - 1] = (next[at - 1] ?? 0) + (error * 3) / 16
  next[at] = (next[at] ?? 0) + (error * 5) / 16
  next[at + 1] = (next[at + 1] ?? 0) + error / 16
}

function clip({ x, y, width, height }: Rectangle, right: number, bottom: number): Rectangle {
  const [left, top] = [Math.max(0, x), Math.max(0, y)]
  return {
    x: left,
    y: top,
    width: Math.max(0, Math.min(x + width, right) - left),
    height: Math.max(0, Math.min(y + height, bottom) - top),
  }
}

function hasTones(gray: Uint8Array, pageWidth: number, { x, y, width, height }: Rectangle): boolean {
  let tones = 0
  for (let row = y; row < y + height; row++)
    for (let at = row * pageWidth + x; at < row * pageWidth + x + width; at++) if (isTone(gray[at] ?? 255)) tones++
  return tones > TONES_MIN * width * height
}
