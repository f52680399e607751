/** What hostile and large images do to the processes that convert them. */

import { randomBytes } from 'node:crypto'
import { DOCUMENT_MAX_BYTES } from '@platen/resources/limits.ts'
import { random } from '@platen/test/harness/random.ts'
import { proves } from '@platen/test/harness/rules.ts'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { CONVERSION_TIMEOUT_MS, createConversions } from '../../images/conversions.ts'
import { createPage, NOT_MIRRORED, writeRaster } from '../write-raster.ts'

const SHEETS = { papers: [{ width: 1016, height: 1524 }], dpis: [203] }
const FORMATS = ['png', 'jpeg', 'gif', 'tiff', 'webp'] as const
const RASTER_FORMATS = ['pwg', 'urf'] as const

/** `npm run test:fuzz` has 10,000. */
const MUTATIONS = Number(process.env.PLATEN_FUZZ_RUNS || 250)
const SEED = Number(process.env.PLATEN_FUZZ_SEED || 1 + Math.floor(Math.random() * 1_000_000))

const { convert, inTurn } = createConversions()

async function getOutcome(image: Buffer): Promise<string> {
  const result = await convert(image, SHEETS)
  if ('fault' in result) return result.fault
  return Buffer.from(result.pdf).toString('latin1', 0, 5)
}

/** Cannot be compressed. */
const createNoise = (width: number, height: number) =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })

test('an image that needs too much memory ends its process, and the next one gets another process', async () => {
  proves('image.limits')
  const solid = sharp({ create: { width: 7_000, height: 7_000, channels: 3, background: '#123' } })
  const bomb = await solid.webp({ quality: 1, effort: 0 }).toBuffer()
  expect(bomb.length).toBeLessThan(200_000)
  expect(await getOutcome(bomb)).toBe('image_limits')
  expect(await getOutcome(await createNoise(8, 8).png().toBuffer())).toBe('%PDF-')
})

test('an image of 25 MB is converted', async () => {
  const image = await createNoise(3_480, 2_500).png({ compressionLevel: 0 }).toBuffer()
  expect(image.length).toBeGreaterThan(0.99 * DOCUMENT_MAX_BYTES)
  expect(image.length).toBeLessThan(DOCUMENT_MAX_BYTES)
  expect(await getOutcome(image)).toBe('%PDF-')
})

test('an image whose PDF is larger than 25 MB is refused', async () => {
  const image = await createNoise(3_480, 2_510).tiff({ compression: 'none' }).toBuffer()
  expect(image.length).toBeLessThan(DOCUMENT_MAX_BYTES)
  expect(await getOutcome(image)).toBe('image_pdf_too_large')
})

test('each damaged image has an outcome, in bounded time', { timeout: 60_000 + MUTATIONS * 50 }, async () => {
  console.info(`PLATEN_FUZZ_SEED=${SEED}`)
  const next = random(SEED)
  const page = createPage(next, { width: 24, height: 24, colours: 'rgb', mirrored: NOT_MIRRORED })
  const images = [
    ...(await Promise.all(FORMATS.map((format) => createNoise(24, 24).toFormat(format).toBuffer()))),
    ...RASTER_FORMATS.map((format) => writeRaster(format, [page, page], next)),
  ]
  const outcomes = new Map<string, number>()
  let slowestMs = 0
  async function convertMutations(count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      const image = mutate(images[next(images.length)] as Buffer, next)
      const startedAt = performance.now()
      const outcome = await getOutcome(image)
      slowestMs = Math.max(slowestMs, performance.now() - startedAt)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
  }
  await Promise.all([convertMutations(MUTATIONS / 2), convertMutations(MUTATIONS / 2)])
  console.info(Object.fromEntries(outcomes), `${Math.round(slowestMs)} ms at most`)
  expect([...outcomes.keys()].toSorted()).toEqual(expect.arrayContaining(['%PDF-', 'image_damaged']))
  expect(slowestMs).toBeLessThan(CONVERSION_TIMEOUT_MS + 10_000)
})

/** Changes, removes, repeats or inserts bytes behind the signature. */
function mutate(image: Buffer, next: (below: number) => number): Buffer {
  let mutated = Buffer.from(image)
  for (let change = 0; change <= next(4); change++) {
    const at = 12 + next(mutated.length - 12)
    const length = next(16)
    const [before, after] = [mutated.subarray(0, at), mutated.subarray(at)]
    const kind = next(5)
    if (kind === 0) mutated = Buffer.concat([before, after.subarray(length)])
    else if (kind === 1) mutated = Buffer.concat([before, after.subarray(0, length), after])
    else if (kind === 2) mutated = Buffer.concat([before, Buffer.alloc(length, 0xff), after.subarray(length)])
    else mutated[at] = kind === 3 ? next(256) : (mutated[at] ?? 0) ^ (1 << next(8))
  }
  return mutated
}

test('an organization has one conversion at a time, so that its images do not delay those of others', async () => {
  const started: string[] = []
  const gates = ['a1', 'a2', 'b1'].map(() => Promise.withResolvers<void>())
  const work = (name: string, at: number) => async () => {
    started.push(name)
    await gates[at]?.promise
  }
  const all = [inTurn('a', work('a1', 0)), inTurn('a', work('a2', 1)), inTurn('b', work('b1', 2))]
  await expect.poll(() => started).toEqual(['a1', 'b1'])
  gates[0]?.resolve()
  await expect.poll(() => started).toEqual(['a1', 'b1', 'a2'])
  for (const { resolve } of gates) resolve()
  await Promise.all(all)
})
