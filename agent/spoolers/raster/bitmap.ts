/** Converts grey pixels to dots. Pure, and also for the dashboard. */
import type { Rectangle } from '../pdf/placement.ts'

/** Rows of dots from the top. The highest bit of a byte is the left dot; 1 is black. */
export interface Bitmap {
  width: number
  height: number
  bytesPerRow: number
  dots: Uint8Array
}

/**
 * From where on a pixel between a dark and a light side belongs to the light one. Edges are rather dark, because thin
 * strokes must not break.
 */
const LIGHT_SIDE = 160 / 255
const MIDDLE = 128

/** Values that are neither nearly black nor nearly white. */
const TONE = { min: 32, max: 224 }
const isTone = (value: number) => value >= TONE.min && value < TONE.max

/**
 * The share of tones of an image with tones. The edges of letters and bars in a scaled picture of a label are fewer.
 */
const TONES_MIN = 0.25

/** Pixels of one tone differ less. */
const SAME_TONE = 16
/** A side and its background differ more. */
const CONTRAST_MIN = 40

/** Dots: an area of one tone is wider and higher than letters and bars. 3 mm at 203 dpi. */
const AREA_MIN = 24
/** One diagonal, in a corner of an area. Both are shorter where two strokes cross. */
const AREA_DIAGONAL_MIN = 16
/** Where the sides of an edge are found. */
const REACH = 3

/** The thresholds of a screen of 8 x 8 dots (Bayer), from 2 to 254. */
const SCREEN = createScreen()

interface Gray {
  /** One byte a pixel. */
  pixels: Uint8Array
  width: number
  height: number
}

/**
 * Text, bars and lines are black or white with sharp edges, whatever their grey and that of their background. Areas of
 * one tone are screened, and images with tones are dithered (Floyd-Steinberg). White rows at the end are omitted.
 *
 * @param pixels one byte a pixel. @param images their areas, which can exceed the page.
 */
export function toBitmap(pixels: Uint8Array, width: number, height: number, images: Rectangle[]): Bitmap {
  const gray = { pixels, width, height }
  const areas = images.map((image) => clip(image, width, height)).filter((area) => hasTones(pixels, width, area))
  const bytesPerRow = Math.ceil(width / 8)
  const dots = new Uint8Array(bytesPerRow * height)
  let usedRows = 0
  const tones = createTones(gray)
  let errors = new Float32Array(width + 2)
  for (let y = 0; y < height; y++) {
    const dithered = areas.filter((area) => y >= area.y && y < area.y + area.height)
    const next = new Float32Array(width + 2)
    tones.beginRow()
    for (let x = 0; x < width; x++) {
      const value = pixels[y * width + x] ?? 255
      const isDithered = dithered.some((area) => x >= area.x && x < area.x + area.width)
      const wanted = isDithered ? value + (errors[x + 1] ?? 0) : value
      const isBlack = isDithered ? wanted < MIDDLE : isTone(value) ? tones.isBlack(x, y) : value < TONE.min
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

/** Decides about pixels with a tone, row by row: part of an area, or on the edge of a stroke or an area. */
function createTones(gray: Gray) {
  const { pixels, width } = gray
  // Pixels of the row and of the one above that are in areas. The first one is left of the page.
  let row = new Uint8Array(width + 2)
  let above = new Uint8Array(width + 2)

  /** Inside an area most pixels have the value of those around them. */
  const isInside = (x: number, at: number) =>
    row[x] === 1 &&
    above[x] === 1 &&
    above[x + 1] === 1 &&
    above[x + 2] === 1 &&
    pixels[at] === pixels[at - 1] &&
    pixels[at] === pixels[at - width]

  return {
    beginRow(): void {
      ;[row, above] = [above.fill(0), row]
    },

    isBlack(x: number, y: number): boolean {
      const at = y * width + x
      if (!isInside(x, at) && !isInArea(gray, x, y)) return isDarkSide(gray, x, y)
      row[x + 1] = 1
      return isScreened(pixels[at] ?? 255, x, y)
    },
  }
}

function isDarkSide(gray: Gray, x: number, y: number): boolean {
  const value = gray.pixels[y * gray.width + x] ?? 255
  const { dark, light } = findSides(gray, x, y)
  const contrast = light.value - dark.value
  if (contrast < CONTRAST_MIN) return isStroke(gray, x, y) || isScreened(value, x, y)
  const isDark = value < dark.value + contrast * LIGHT_SIDE
  const side = isDark ? dark : light
  if (!isTone(side.value)) return isDark
  const isArea = isInArea(gray, side.x, side.y) || (isDark && !isStroke(gray, side.x, side.y))
  return isArea ? isScreened(side.value, x, y) : isDark
}

/**
 * Whether a pixel belongs to a letter or a bar: what is beside it is lighter. A background has letters beside it, which
 * are darker.
 */
function isStroke({ pixels, width, height }: Gray, x: number, y: number): boolean {
  const at = y * width + x
  const sides = [
    findSide(pixels, at, -1, Math.min(x, AREA_MIN)),
    findSide(pixels, at, 1, Math.min(width - 1 - x, AREA_MIN)),
    findSide(pixels, at, -width, Math.min(y, AREA_MIN)),
    findSide(pixels, at, width, Math.min(height - 1 - y, AREA_MIN)),
  ]
  return sides.includes(1) && !sides.includes(-1)
}

/** What is in a direction: 1 for a lighter side, -1 for a darker one, 0 for none. @param maximum of steps. */
function findSide(pixels: Uint8Array, at: number, step: number, maximum: number): number {
  const value = pixels[at] ?? 255
  for (let count = 1; count <= maximum; count++) {
    const difference = (pixels[at + count * step] ?? 255) - value
    if (difference >= CONTRAST_MIN) return 1
    if (difference <= -CONTRAST_MIN) return -1
  }
  return 0
}

/** Below 32 all dots are black, from 224 on none. */
const isScreened = (value: number, x: number, y: number) =>
  isTone(value) ? value < (SCREEN[(y & 7) * 8 + (x & 7)] ?? 0) : value < TONE.min

/** The darkest and the lightest pixel near a pixel. */
function findSides({ pixels, width, height }: Gray, x: number, y: number) {
  let dark = { x, y, value: 255 }
  let light = { x, y, value: 0 }
  const right = Math.min(width - 1, x + REACH)
  const bottom = Math.min(height - 1, y + REACH)
  for (let row = Math.max(0, y - REACH); row <= bottom; row++)
    for (let column = Math.max(0, x - REACH); column <= right; column++) {
      const value = pixels[row * width + column] ?? 255
      if (value < dark.value) dark = { x: column, y: row, value }
      if (value > light.value) light = { x: column, y: row, value }
    }
  return { dark, light }
}

/** Plain loops, because the packages run without an optimizing compiler. */
function isInArea({ pixels, width, height }: Gray, x: number, y: number): boolean {
  const at = y * width + x
  const [left, right, up, down] = [x, width - 1 - x, y, height - 1 - y]
  return (
    hasRun(pixels, at, 1, right, left, AREA_MIN) &&
    hasRun(pixels, at, width, down, up, AREA_MIN) &&
    (hasRun(pixels, at, width + 1, Math.min(down, right), Math.min(up, left), AREA_DIAGONAL_MIN) ||
      hasRun(pixels, at, width - 1, Math.min(down, left), Math.min(up, right), AREA_DIAGONAL_MIN))
  )
}

/**
 * Whether pixels of one tone form a line through a pixel.
 *
 * @param after how many steps are possible.
 * @param before the same, backwards.
 */
function hasRun(pixels: Uint8Array, at: number, step: number, after: number, before: number, minimum: number): boolean {
  const more = minimum - 1
  const count = countRun(pixels, at, step, Math.min(after, more))
  return count === more || count + countRun(pixels, at, -step, Math.min(before, more - count)) === more
}

function countRun(pixels: Uint8Array, at: number, step: number, maximum: number): number {
  const value = pixels[at] ?? 255
  let count = 0
  for (let next = at + step; count < maximum && Math.abs((pixels[next] ?? 255) - value) < SAME_TONE; next += step)
    count++
  return count
}

/** Each quarter of a screen is the screen of half its size. */
function createScreen(): Uint8Array {
  const toOrder = (x: number, y: number, size: number): number => {
    if (size === 1) return 0
    const half = size / 2
    const quarter = [0, 2, 3, 1][(x >= half ? 1 : 0) + (y >= half ? 2 : 0)] ?? 0
    return 4 * toOrder(x % half, y % half, half) + quarter
  }
  return Uint8Array.from({ length: 64 }, (_, at) => 4 * toOrder(at % 8, at >> 3, 8) + 2)
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
