/** Images as PDFs, drawn by the PDFium of the agent. */

import { crc32 } from 'node:zlib'
import { proves } from '@platen/test/harness/rules.ts'
import sharp, { type Sharp } from 'sharp'
import { expect, test } from 'vitest'
import { convertImage } from '../../images/convert-image.ts'
import { InvalidImage } from '../../images/invalid-image.ts'
import { PIXELS_MAX, type Sheets } from '../../images/lay-out-image.ts'
import { draw } from '../draw-pdf.ts'

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
    // `withMetadata` would change the colours back.
    const image = addJfif(await createPixels(64, 48, 3).blur(4).toColourspace(space).jpeg().toBuffer(), 1, 72, 72)
    expect((await sharp(image).metadata()).space).toBe(space)
    const pdf = await convertImage(image, LABEL)
    expect(pdf.includes(image)).toBe(true)
    const { render } = await draw(pdf)
    expect(differ(await render(64, 48), await toRgb(image))).toBeLessThan(space === 'cmyk' ? 30 : 3)
  }
})

test('the four colours of a JPEG without the mark of Adobe are not inverted', async () => {
  proves('image.jpeg')
  // White on the left, on the right what is nearly black by much of black alone.
  const pixels = Buffer.from(
    Array.from({ length: 64 * 48 }, (_, at) => (at % 64 < 32 ? [255, 255, 255] : [0, 0, 3])).flat(),
  )
  const picture = sharp(pixels, { raw: { width: 64, height: 48, channels: 3 } }).toColourspace('cmyk')
  const marked = addJfif(await picture.jpeg({ quality: 100 }).toBuffer(), 1, 72, 72)
  // The same numbers without the mark mean the opposite colours.
  const at = marked.indexOf('Adobe') - 4
  const image = Buffer.concat([marked.subarray(0, at), marked.subarray(at + 2 + marked.readUInt16BE(at + 2))])
  const pdf = await convertImage(image, LABEL)
  expect(pdf.includes(image)).toBe(true)
  const isBlack = async (one: Buffer) => {
    const rgb = await (await draw(one)).render(64, 48)
    return [10, 50].map((x) => Math.max(...rgb.subarray((24 * 64 + x) * 3, (24 * 64 + x + 1) * 3)) < 50)
  }
  expect(await isBlack(await convertImage(marked, LABEL))).toEqual([false, true])
  expect(await isBlack(pdf)).toEqual([true, false])
})

/** The chunk of the resolution in pixels per metre. @param unit 1 is metre, 0 is none. */
function addPhys(png: Buffer, x: number, y: number, unit = 1): Buffer {
  const chunk = Buffer.alloc(21)
  chunk.writeUInt32BE(9)
  chunk.write('pHYs', 4)
  chunk.writeUInt32BE(x, 8)
  chunk.writeUInt32BE(y, 12)
  chunk[16] = unit
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 17)), 17)
  // Behind the signature and the header.
  return Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)])
}

/** @param unit 1 is inch, 2 is centimetre, 0 is none. */
function addJfif(jpeg: Buffer, unit: number, x: number, y: number): Buffer {
  expect(jpeg.includes('JFIF')).toBe(false)
  const segment = Buffer.from([0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, unit, 0, x, 0, y, 0, 0])
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)])
}

/** A directory with both resolutions, as EXIF and TIFF have it. */
function createExif(x: number, y: number): Buffer {
  const entries = [
    [282, 5, 1, 50],
    [283, 5, 1, 58],
    [296, 3, 1, 2],
  ]
  const tiff = Buffer.alloc(66)
  tiff.write('II*\0', 'latin1')
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(entries.length, 8)
  for (const [index, [tag = 0, type = 0, count = 0, value = 0]] of entries.entries()) {
    tiff.writeUInt16LE(tag, 10 + index * 12)
    tiff.writeUInt16LE(type, 12 + index * 12)
    tiff.writeUInt32LE(count, 14 + index * 12)
    tiff.writeUInt32LE(value, 18 + index * 12)
  }
  for (const [at, value] of [
    [50, x],
    [58, y],
  ] as const) {
    tiff.writeUInt32LE(value, at)
    tiff.writeUInt32LE(1, at + 4)
  }
  return tiff
}

function addExif(jpeg: Buffer, exif: Buffer): Buffer {
  const segment = Buffer.concat([Buffer.from([0xff, 0xe1, 0, exif.length + 8]), Buffer.from('Exif\0\0'), exif])
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)])
}

const plain = () => createPixels(204, 98, 3)
const FITTED = { width: 432, height: 207.5 }

/** 204 x 98 pixels. The sizes are points. */
const RESOLUTIONS: Record<string, [image: () => Promise<Buffer>, size: { width: number; height: number }]> = {
  'a TIFF with 204 x 98 dpi': [
    () =>
      plain()
        .tiff({ xres: 204 / 25.4, yres: 98 / 25.4 })
        .toBuffer(),
    { width: 72, height: 72 },
  ],
  'a PNG with 8000 x 4000 pixels per metre': [
    async () => addPhys(await plain().png().toBuffer(), 8_000, 4_000),
    { width: (204 / 8_000 / 0.0254) * 72, height: (98 / 4_000 / 0.0254) * 72 },
  ],
  'a JPEG with 204 x 98 dpi': [
    async () => addJfif(await plain().jpeg().toBuffer(), 1, 204, 98),
    { width: 72, height: 72 },
  ],
  'a JPEG with 80 x 40 pixels per centimetre': [
    async () => addJfif(await plain().jpeg().toBuffer(), 2, 80, 40),
    { width: (204 / 80 / 2.54) * 72, height: (98 / 40 / 2.54) * 72 },
  ],
  'a JPEG with 102 x 98 dpi in EXIF': [
    async () => addExif(addJfif(await plain().jpeg().toBuffer(), 0, 1, 1), createExif(102, 98)),
    { width: 144, height: 72 },
  ],
  'a PNG without a resolution, which fills the paper': [() => plain().png().toBuffer(), FITTED],
  'a PNG with a ratio only': [async () => addPhys(await plain().png().toBuffer(), 3_000, 3_000, 0), FITTED],
  'a JPEG without a resolution': [async () => addJfif(await plain().jpeg().toBuffer(), 0, 1, 1), FITTED],
  'a JPEG with EXIF that ends early': [
    async () => addExif(addJfif(await plain().jpeg().toBuffer(), 0, 1, 1), createExif(102, 98).subarray(0, 40)),
    FITTED,
  ],
}
test.each(Object.keys(RESOLUTIONS))('the size of %s follows from both resolutions', async (name) => {
  proves('image.density', 'image.fitted')
  const [create, size] = RESOLUTIONS[name] ?? expect.fail()
  const { sizes, render } = await draw(await convertImage(await create(), { ...LABEL, dpis: [] }))
  const [page = { width: 0, height: 0 }] = sizes
  if (size !== FITTED) {
    expect(page.width).toBeCloseTo(size.width, 0)
    expect(page.height).toBeCloseTo(size.height, 0)
    return
  }
  // The label in landscape, with the image in its middle.
  expect(page).toEqual({ width: 432, height: 288 })
  const pixels = await render(432, 288)
  const isEmpty = (y: number) => pixels.subarray(y * 432 * 3, (y + 1) * 432 * 3).every((value) => value > 250)
  expect([38, 42, 245, 250].map(isEmpty)).toEqual([true, false, false, true])
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
