/** `npm run preview -- label.zpl > label.svg`: writes the first page as SVG, and the warnings to standard error. */
import { readFileSync } from 'node:fs'
import { drawPreview } from './preview.ts'
import { toSvg } from './svg.ts'

const [file] = process.argv.slice(2)
if (!file) {
  console.error('Usage: npm run -s preview -- FILE > label.svg\nUse - for standard input.')
  process.exit(2)
}
const { pages } = drawPreview(readFileSync(file === '-' ? 0 : file))
const [first] = pages
if (first) process.stdout.write(toSvg(first).svg)
if (pages.length > 1) console.error(`The document has ${pages.length} labels. The picture is the first.`)
for (const { offset, message } of pages.flatMap(({ warnings }) => warnings)) console.error(`byte ${offset}: ${message}`)
