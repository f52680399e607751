/**
 * Labels and receipts of carriers and of other projects, beside their reference pictures. The folder is not part of
 * this project: these tests are skipped without `PLATEN_FIXTURES_DIR`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Page } from '../../display-list.ts'
import { drawPreview } from '../../preview.ts'
import { compareInk, findInk, type Raster, rasterize, readCodes, readPng } from '../rasterize.ts'

const fixtures = process.env.PLATEN_FIXTURES_DIR ?? ''

const listFiles = (folder: string, pattern: RegExp): string[] => {
  const path = join(fixtures, folder)
  return fixtures && existsSync(path)
    ? readdirSync(path)
        .filter((name) => pattern.test(name))
        .map((name) => join(path, name))
    : []
}

const labels = [...listFiles('labels/zebrash', /\.zpl$/), ...listFiles('labels/binarykits', /\.zpl2$/)]
const pictures = listFiles('labels/zebrash', /\.png$/)
const receipts = listFiles('receipts', /\.bin$/)

/** Pictures that differ for a reason. */
const OTHER_INK: Record<string, string | undefined> = {
  'encodings_013.png': 'has punctuation, whose advances in the reference are not those of the font 0 of printers',
  'gs.png': 'has the logos of ^GS, which the reference draws in another size',
  'aztec_ec.png': 'has symbols with more error correction than was asked for',
}

const toName = (file: string) => file.split('/').slice(-2).join('/')

function draw(file: string, picture: Raster): Page {
  // The references ignore ^PO, and print on paper of their size, in whose middle the label is.
  const source = readFileSync(file.replace('.png', '.zpl')).toString('latin1').replace('^POI', '')
  const { width, height } = picture
  const [page] = drawPreview(Buffer.from(source, 'latin1'), {
    language: 'zpl',
    paper: { widthMm: width / 8, heightMm: height / 8 },
  }).pages
  if (!page) throw new Error('no page')
  return page
}

describe.skipIf(labels.length === 0)('labels', () => {
  test.each(labels.map((file) => [toName(file), file]))(
    '%s has a picture, and each of its commands is known',
    (_, file) => {
      const { pages } = drawPreview(readFileSync(file), { language: 'zpl' })
      expect(
        pages.flatMap(({ warnings }) => warnings).filter(({ message }) => /Unknown|cannot be/.test(message)),
      ).toEqual([])
    },
  )

  test.each(pictures.map((file) => [toName(file), file]))('%s has the bar codes of the reference', async (_, file) => {
    const reference = readPng(readFileSync(file))
    expect(await readCodes(rasterize(draw(file, reference)))).toEqual(await readCodes(reference))
  })

  test.each(pictures.map((file) => [toName(file), file]))(
    'the ink of %s has the edges of the reference',
    (name, file) => {
      if (OTHER_INK[name.split('/')[1] ?? '']) return
      const reference = readPng(readFileSync(file))
      const page = draw(file, reference)
      const shift = Math.max(0, Math.round((reference.width - page.width) / 2))
      const ours = findInk(rasterize(page))
      const visible = {
        right: Math.min(reference.width, shift + page.width) - 1,
        bottom: Math.min(reference.height, page.height) - 1,
      }
      const theirs = findInk(reference, { left: shift, ...visible })
      expect(ours && theirs && compareInk(ours, theirs, shift)).toEqual([])
    },
  )
})

describe.skipIf(receipts.length === 0)('receipts', () => {
  test.each(receipts.map((file) => [toName(file), file]))(
    '%s has a picture, and each of its commands is known',
    (_, file) => {
      const { pages } = drawPreview(readFileSync(file), { language: 'escpos' })
      expect(pages.flatMap(({ warnings }) => warnings).filter(({ message }) => message.startsWith('Unknown'))).toEqual(
        [],
      )
      expect(pages[0]?.items.length).toBeGreaterThan(5)
    },
  )
})
