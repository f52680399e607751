/** Draws pages as pixels and reads their bar codes, as a person and a scanner would. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Resvg } from '@resvg/resvg-js'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import type { Page } from '../display-list.ts'
import { toSvg } from '../svg.ts'

const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(wasm)).buffer } })

export interface Raster {
  png: Uint8Array
  width: number
  height: number
  isBlack: (x: number, y: number) => boolean
}

/** One pixel per dot. */
export function rasterize(page: Page): Raster {
  return rasterizeSvg(toSvg(page).svg, page.width)
}

export function rasterizeSvg(svg: string, width: number): Raster {
  const image = new Resvg(svg, { fitTo: { mode: 'width', value: width }, font: { loadSystemFonts: false } }).render()
  const pixels = image.pixels
  return {
    png: image.asPng(),
    width: image.width,
    height: image.height,
    isBlack: (x, y) => (pixels[(y * image.width + x) * 4] ?? 255) < 128,
  }
}

/** Reads a PNG, which is wrapped in an SVG to be decoded by the same means. */
export function readPng(png: Buffer): Raster {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const image = `<image width="${width}" height="${height}" href="data:image/png;base64,${png.toString('base64')}"/>`
  const paper = `<rect width="${width}" height="${height}" fill="#fff"/>`
  return rasterizeSvg(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${paper}${image}</svg>`,
    width,
  )
}

/** @returns `format text` of each bar code, sorted. */
export async function readCodes({ png }: Pick<Raster, 'png'>): Promise<string[]> {
  const codes = await readBarcodes(png, { tryHarder: true, maxNumberOfSymbols: 50 })
  return codes.map(({ format, text }) => `${format} ${text}`).sort()
}

export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/** @returns the smallest box around all black dots of the area, its edges included. */
export function findInk({ width, height, isBlack }: Raster, area?: Partial<Box>): Box | undefined {
  const { left = 0, top = 0, right = width - 1, bottom = height - 1 } = area ?? {}
  const ink = { left: right + 1, top: bottom + 1, right: -1, bottom: -1 }
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      if (!isBlack(x, y)) continue
      ink.left = Math.min(ink.left, x)
      ink.right = Math.max(ink.right, x)
      ink.top = Math.min(ink.top, y)
      ink.bottom = Math.max(ink.bottom, y)
    }
  }
  return ink.right < 0 ? undefined : ink
}

/** Other pictures have a dot more or less where edges are between dots, and letters of another font. */
const DOTS = 3
const TEXT_SHARE = 0.05

/**
 * @param shift how far `theirs` is to the right.
 * @returns the edges of ink that differ by more than 3 dots and 5 % of the ink.
 */
export function compareInk(ours: Box, theirs: Box, shift = 0): string[] {
  const width = Math.max(DOTS, (theirs.right - theirs.left) * TEXT_SHARE)
  const height = Math.max(DOTS, (theirs.bottom - theirs.top) * TEXT_SHARE)
  const bounds = { left: width, right: width, top: height, bottom: height }
  return (['left', 'top', 'right', 'bottom'] as const).flatMap((edge) => {
    const expected = theirs[edge] - (edge === 'left' || edge === 'right' ? shift : 0)
    return Math.abs(ours[edge] - expected) > bounds[edge] ? [`${edge}: ${ours[edge]} instead of ${expected}`] : []
  })
}
