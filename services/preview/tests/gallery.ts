/** `npm run gallery`: writes the pictures of `docs/previews.md`. A label is on the right of its reference picture. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawPreview } from '../preview.ts'
import { findInk, type Raster, rasterize, rasterizeSvg, readPng } from './rasterize.ts'

const LABELS = [
  'dhlpaket',
  'dpdpl',
  'glscz',
  'pocztex',
  'posten',
  'swisspost',
  'ups_surepost',
  'dbs',
  'jcpenney',
  'labelary',
]
const RECEIPTS = ['tools-receipt', 'graphics', 'text-size', 'margins-and-spacing', 'qr-code']
const WIDTH = 640
const GAP_DOTS = 24

const fixtures = process.env.PLATEN_FIXTURES_DIR
if (!fixtures) {
  console.error('Set PLATEN_FIXTURES_DIR to the folder with the documents: see CONTRIBUTING.md.')
  process.exit(2)
}
const images = new URL('../../../docs/images/previews/', import.meta.url)
mkdirSync(images, { recursive: true })

const toImage = ({ png, width, height }: Raster, x: number): string =>
  `<image x="${x}" width="${width}" height="${height}" href="data:image/png;base64,${Buffer.from(png).toString('base64')}"/>`

/** Pictures side by side, without the white below their ink. */
function write(name: string, pictures: Raster[]): void {
  const bottom = Math.max(...pictures.map((picture) => findInk(picture)?.bottom ?? 0)) + GAP_DOTS
  const width = pictures.reduce((sum, picture) => sum + picture.width + GAP_DOTS, -GAP_DOTS)
  const parts = pictures.map((picture, index) => toImage(picture, index * (picture.width + GAP_DOTS)))
  const frame = `<rect width="${width}" height="${bottom}" fill="#ccc"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${bottom}" width="${width}" height="${bottom}">${frame}${parts.join('')}</svg>`
  writeFileSync(new URL(`${name}.png`, images), rasterizeSvg(svg, (WIDTH * pictures.length) / 2).png)
}

for (const name of LABELS) {
  const reference = readPng(readFileSync(join(fixtures, 'labels/zebrash', `${name}.png`)))
  const paper = { widthMm: reference.width / 8, heightMm: reference.height / 8 }
  // The references ignore the orientation of the label.
  const document = readFileSync(join(fixtures, 'labels/zebrash', `${name}.zpl`), 'latin1').replace('^POI', '')
  const [page] = drawPreview(Buffer.from(document, 'latin1'), { language: 'zpl', paper }).pages
  if (page) write(name, [reference, rasterize(page)])
}
for (const name of RECEIPTS) {
  const [page] = drawPreview(readFileSync(join(fixtures, 'receipts', `${name}.bin`)), { language: 'escpos' }).pages
  if (page) write(name, [rasterize(page)])
}
