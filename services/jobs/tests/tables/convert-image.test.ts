/** Images as PDFs, drawn by the PDFium of the agent. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPdf } from '@platen/agent/spoolers/pdf/pages.ts'
import { proves } from '@platen/test/harness/rules.ts'
import sharp, { type Sharp } from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { convertImage, InvalidImage } from '../../images/convert-image.ts'
import { PIXELS_MAX, type Sheets } from '../../images/lay-out-image.ts'

const LABEL: Sheets = { papers: [{ width: 1016, height: 1524 }], dpis: [203] }
/** One pixel is one point. */
const AT_72 = { density: 72 }

/** Every pixel differs from its neighbours, and the corners are recognizable. */
function createPixels(width: number, height: number, channels: 1 | 3 | 4) {
  const pixels = Buffer.alloc(width * height * channels)
  for (let at = 0; at < pixels.length; at++)
    pixels[at] = (at * 7919 + Math.floor(at / width / channels) * 104_729) % 256
  return sharp(pixels, { raw: { width, height, channels } })
}

async function draw(pdf: Buffer) {
  const dir = mkdtempSync(join(tmpdir(), 'platen-image-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const file = join(dir, 'document')
  writeFileSync(file, pdf)
  const document = await openPdf(file)
  return {
    count: document.count,
    sizes: Array.from({ length: document.count }, (_, page) => document.getSize(page)),
    /** @returns RGB. */
    async render(width: number, height: number, page = 0): Promise<Buffer> {
      const part = { x: 0, y: 0, width, height }
      const view = { pageWidth: width, pageHeight: height, quarterTurns: 0, gray: false, part }
      const pixels = Buffer.from(document.render(page, view))
      const rgb = Buffer.alloc(width * height * 3)
      for (let at = 0; at < width * height; at++)
        for (const colour of [0, 1, 2]) rgb[at * 3 + colour] = pixels[at * 4 + 2 - colour] ?? 0
      return rgb
    },
  }
}

const toRgb = (image: Buffer) =>
  sharp(image).flatten({ background: '#fff' }).toColourspace('srgb').removeAlpha().raw().toBuffer()

/** The mean difference of two pictures, 0 to 255. */
const differ = (one: Buffer, other: Buffer) =>
  one.length === other.length
    ? one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length
    : 255

test('a label whose pixels are its paper at the resolution of the printer is printed dot for dot', async () => {
  proves('image.dots')
  const label = await createPixels(812, 1218, 1).threshold().png().toBuffer()
  const { sizes, render } = await draw(await convertImage(label, LABEL))
  expect(sizes).toEqual([{ width: 288, height: 432 }])
  expect((await render(812, 1218)).equals(await toRgb(label))).toBe(true)
})

const WITHOUT_LOSS: Record<string, () => Sharp> = {
  'a PNG with colours': () => createPixels(40, 30, 3).png(),
  'a grey PNG': () => createPixels(40, 30, 1).toColourspace('b-w').png(),
  'a PNG with 16 bits': () => createPixels(40, 30, 1).toColourspace('grey16').png(),
  'a PNG with a palette': () => createPixels(40, 30, 3).png({ palette: true, colours: 16 }),
  'an interlaced PNG': () => createPixels(40, 30, 3).png({ progressive: true }),
  'a transparent PNG, on white': () => createPixels(40, 30, 4).png(),
  'a GIF': () => createPixels(40, 30, 3).gif(),
  'a TIFF': () => createPixels(40, 30, 3).tiff({ compression: 'lzw' }),
  'a WebP': () => createPixels(40, 30, 3).webp({ lossless: true }),
  'a transparent WebP, on white': () => createPixels(40, 30, 4).webp({ lossless: true }),
}
test.each(Object.keys(WITHOUT_LOSS))('the pixels of %s are printed', async (name) => {
  const image = (await WITHOUT_LOSS[name]?.().toBuffer()) as Buffer
  const paper = { width: Math.round((40 / 72) * 254), height: Math.round((30 / 72) * 254) }
  const { render } = await draw(await convertImage(image, { papers: [paper], dpis: [72] }))
  expect(differ(await render(40, 30), await toRgb(image))).toBeLessThan(1)
})

test('the bytes of a JPEG are kept, also of one for print with four colours', async () => {
  proves('image.jpeg')
  for (const space of ['srgb', 'b-w', 'cmyk']) {
    const image = await createPixels(64, 48, 3).blur(4).toColourspace(space).withMetadata(AT_72).jpeg().toBuffer()
    const pdf = await convertImage(image, LABEL)
    expect(pdf.includes(image)).toBe(true)
    const { render } = await draw(pdf)
    expect(differ(await render(64, 48), await toRgb(image))).toBeLessThan(space === 'cmyk' ? 30 : 3)
  }
})

test.each([1, 2, 3, 4, 5, 6, 7, 8])('EXIF orientation %i is applied to JPEG and PNG', async (orientation) => {
  proves('image.exif')
  const quarters = await createPixels(2, 2, 3).resize(40, 20, { kernel: 'nearest', fit: 'fill' }).png().toBuffer()
  for (const format of ['jpeg', 'png'] as const) {
    const image = await sharp(quarters)
      .withMetadata({ ...AT_72, orientation })
      .toFormat(format)
      .toBuffer()
    const { data, info } = await sharp(image).autoOrient().raw().toBuffer({ resolveWithObject: true })
    const { sizes, render } = await draw(await convertImage(image, LABEL))
    expect(sizes).toEqual([{ width: info.width, height: info.height }])
    expect(differ(await render(info.width, info.height), data)).toBeLessThan(8)
  }
})

test('each page of a TIFF is a page; of an animation the first frame is', async () => {
  proves('image.pdf')
  const frames = await Promise.all(['#f00', '#0f0'].map((background) => createSolid(20, 10, background)))
  const tiff = await joinPages(frames)
  const { count, sizes, render } = await draw(await convertImage(tiff, LABEL))
  expect([count, sizes[1]]).toEqual([2, { width: 20, height: 10 }])
  expect([...(await render(20, 10, 1)).subarray(0, 3)]).toEqual([0, 255, 0])
  for (const format of ['gif', 'webp'] as const) {
    const animation = await sharp(frames, { join: { animated: true } })
      .toFormat(format, { loop: 0, delay: 100 })
      .toBuffer()
    expect((await sharp(animation).metadata()).pages).toBe(2)
    expect((await draw(await convertImage(animation, LABEL))).count).toBe(1)
  }
})

const createSolid = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()

/** Sharp writes animations only, so this chains the directories of two TIFFs. */
async function joinPages(frames: Buffer[]): Promise<Buffer> {
  const [first, second] = await Promise.all(
    frames.map((frame) => sharp(frame).withMetadata(AT_72).tiff({ compression: 'none' }).toBuffer()),
  )
  if (!first || !second) throw new Error('two pages are needed')
  const start = first.length + (first.length % 2)
  const joined = Buffer.concat([first, Buffer.alloc(start - first.length), move(second, start)])
  const directory = first.readUInt32LE(4)
  joined.writeUInt32LE(start + second.readUInt32LE(4), directory + 2 + first.readUInt16LE(directory) * 12)
  return joined
}

/** Adds to the offsets of a TIFF with one directory. */
function move(tiff: Buffer, by: number): Buffer {
  const moved = Buffer.from(tiff)
  const BYTES: Record<number, number> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8 }
  const STRIP_OFFSETS = 273
  const directory = tiff.readUInt32LE(4)
  for (let entry = directory + 2; entry < directory + 2 + tiff.readUInt16LE(directory) * 12; entry += 12) {
    const bytes = (BYTES[tiff.readUInt16LE(entry + 2)] ?? 1) * tiff.readUInt32LE(entry + 4)
    const isOffset = bytes > 4 || tiff.readUInt16LE(entry) === STRIP_OFFSETS
    if (isOffset) moved.writeUInt32LE(tiff.readUInt32LE(entry + 8) + by, entry + 8)
  }
  return moved
}

const fault = (bytes: Buffer) =>
  convertImage(bytes, LABEL).then(
    () => 'none',
    (error: unknown) => (error instanceof InvalidImage ? error.fault : error),
  )

test(`an image has at most ${PIXELS_MAX} pixels`, async () => {
  proves('image.pixels')
  const create = (width: number) =>
    sharp({ create: { width, height: 8_000, channels: 3, background: '#fff' } })
      .toColourspace('b-w')
      .png({ compressionLevel: 1 })
      .toBuffer()
  expect(await fault(await create(8_000))).toBe('none')
  expect(await fault(await create(8_001))).toBe('image_pixels')
})

test.each(['png', 'jpeg', 'gif', 'tiff', 'webp'] as const)('a %s that is cut off is damaged', async (format) => {
  const image = await createPixels(200, 200, 3).toFormat(format).toBuffer()
  for (const share of [0.2, 0.5, 0.9])
    expect(await fault(image.subarray(0, Math.floor(image.length * share)))).toBe('image_damaged')
})

test('formats that are not accepted have no decoder', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="/etc/passwd"/></svg>'
  expect(await fault(Buffer.from(svg))).toBe('image_damaged')
  expect(await fault(Buffer.from('P3 1 1 255 0 0 0'))).toBe('image_damaged')
})
