/**
 * The labels of the documentation and samples of commands, beside the pictures of another renderer: zebrash, as
 * WebAssembly.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { ready } from 'zpl-renderer-js'
import { drawPreview } from '../../preview.ts'
import { compareInk, findInk, type Raster, rasterize, readCodes, readPng } from '../rasterize.ts'

const PAPER = { widthMm: 100, heightMm: 150 }
const DOTS_PER_MM = 8
const document = (name: string) => readFileSync(join(import.meta.dirname, '../documents', name), 'latin1')

const LABELS: Record<string, string> = {
  parcel: document('parcel.zpl'),
  shelf: document('shelf.zpl'),
  boxes: '^XA^FO50,60^GB300,200,8^FS^FO400,60^GB200,200,100,B,4^FS^FO50,320^GB500,0,6^FS^XZ',
  'code 128': '^XA^FO60,60^BY3^BCN,120,Y,N,N^FDORDER-4711^FS^XZ',
  'code 39': '^XA^FO60,60^BY2^B3N,N,100,Y,N^FDABC 123^FS^XZ',
  'EAN-13': '^XA^FO60,60^BY3^BEN,120,Y,N^FD590123412345^FS^XZ',
  'QR code': '^XA^FO60,60^BQN,2,6^FDMA,https://example.com/4711^FS^XZ',
  'Data Matrix': '^XA^FO60,60^BXN,8,200^FDPLATEN 4711^FS^XZ',
  'a rotated code': '^XA^FO60,60^BY3^BCR,120,N,N,N^FD4711^FS^XZ',
  reverse: '^XA^FO50,50^GB400,120,120^FS^FO80,80^FR^GB200,60,60^FS^XZ',
}

let renderer: Awaited<typeof ready>['api']
beforeAll(async () => {
  renderer = (await ready).api
})

const drawOurs = (zpl: string): Raster => {
  const [page] = drawPreview(Buffer.from(zpl, 'latin1'), { language: 'zpl', paper: PAPER }).pages
  if (!page) throw new Error('no page')
  return rasterize(page)
}
const drawTheirs = async (zpl: string): Promise<Raster> =>
  readPng(Buffer.from(await renderer.zplToBase64Async(zpl, PAPER.widthMm, PAPER.heightMm, DOTS_PER_MM), 'base64'))

test.each(Object.keys(LABELS))('%s has the ink and the codes of the other renderer', async (name) => {
  const zpl = LABELS[name] ?? ''
  const [ours, theirs] = [drawOurs(zpl), await drawTheirs(zpl)]
  const [ourInk, theirInk] = [findInk(ours), findInk(theirs)]
  // The other renderer draws a label that is narrower than the paper in its middle.
  const shift = Math.max(0, Math.round((theirs.width - ours.width) / 2))
  expect(ourInk && theirInk && compareInk(ourInk, theirInk, shift)).toEqual([])
  expect(await readCodes(ours)).toEqual(await readCodes(theirs))
})
