/** Rasters that Ghostscript writes, against the decoder of CUPS. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { programPath, whyNoCups } from '@platen/test/cups/find-cups.ts'
import PdfDocument from 'pdfkit'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { convertImage } from '../../images/convert-image.ts'

const run = promisify(execFile)
const whyNot = await whyNoCups()

/** Text, lines, transparent areas and a gradient, on pages of different sizes. */
async function writeDocument(file: string): Promise<void> {
  const pdf = new PdfDocument({ autoFirstPage: false })
  const written: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => written.push(chunk))
  for (const [number, size] of [
    [283.5, 425.2],
    [210, 298],
    [298, 210],
  ].entries()) {
    pdf
      .addPage({ size: size as [number, number], margin: 20 })
      .fontSize(11)
      .text(`Page ${number} of a document. `.repeat(12))
    pdf.rect(30, 90, 120, 60).fill(pdf.linearGradient(30, 90, 150, 150).stop(0, '#d33').stop(1, '#36c'))
    pdf
      .circle(120, 140, 45)
      .fillOpacity(0.4)
      .fill('#2a2')
      .fillOpacity(1)
      .moveTo(5, 5)
      .lineTo(190, 180)
      .lineWidth(0.3)
      .stroke()
  }
  pdf.end()
  await new Promise((resolve) => pdf.on('end', resolve))
  await writeFile(file, Buffer.concat(written))
}

/** @returns the samples of the image of each page. */
async function extract(pdf: string, prefix: string): Promise<Buffer[]> {
  await run(programPath('pdfimages'), ['-png', pdf, prefix])
  const directory = join(prefix, '..')
  const files = (await readdir(directory)).filter((name) => join(directory, name).startsWith(`${prefix}-`)).toSorted()
  return await Promise.all(files.map((name) => sharp(join(directory, name)).raw().toBuffer()))
}

/** CUPS declares the gamma of its greys, so each grey can be drawn as another one. */
function areEqual(ours: Buffer, theirs: Buffer): boolean {
  const greys = new Map<number, number>()
  const isSame = (sample: number, at: number) => {
    if (!greys.has(sample)) greys.set(sample, theirs[at] ?? -1)
    return greys.get(sample) === theirs[at]
  }
  return ours.equals(theirs) || (ours.length === theirs.length && ours.every(isSame))
}

const COLOURS: Record<string, [space: number, bits: number]> = { rgb: [19, 8], gray: [18, 8], black: [3, 1] }

test.skipIf(whyNot).each([
  ['pwgraster', 'rgb', [100, 203]],
  ['pwgraster', 'gray', [100, 203]],
  ['pwgraster', 'black', [203, 300]],
  ['appleraster', 'rgb', [72, 150]],
  ['appleraster', 'gray', [72, 150]],
])('the pages of %s in %s are those that CUPS reads', { timeout: 60_000 }, async (device, colours, resolutions) => {
  const directory = await mkdtemp(join(tmpdir(), 'platen-raster-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const at = (name: string) => join(directory, name)
  await writeDocument(at('source.pdf'))
  const [space, bits] = COLOURS[colours] ?? []
  for (const dpi of resolutions) {
    const form = [`-dcupsColorSpace=${space}`, `-dcupsBitsPerColor=${bits}`, `-r${dpi}`, `-sOutputFile=${at(`${dpi}`)}`]
    await run(programPath('gs'), ['-q', '-dNOPAUSE', '-dBATCH', `-sDEVICE=${device}`, ...form, at('source.pdf')])
    const options = {
      env: { ...process.env, CONTENT_TYPE: 'application/vnd.cups-raster' },
      encoding: 'buffer',
      maxBuffer: 2 ** 28,
    } as const
    const { stdout } = await run(programPath('rastertopdf'), ['1', 'user', 'title', '1', '', at(`${dpi}`)], options)
    await writeFile(at(`${dpi}-cups.pdf`), stdout)
    await writeFile(at(`${dpi}-ours.pdf`), await convertImage(await readFile(at(`${dpi}`)), { papers: [], dpis: [] }))
    const [theirs, ours] = [
      await extract(at(`${dpi}-cups.pdf`), at(`${dpi}-theirs`)),
      await extract(at(`${dpi}-ours.pdf`), at(`${dpi}-ours`)),
    ]
    expect(theirs).toHaveLength(3)
    for (const [page, samples] of theirs.entries())
      expect(areEqual(ours[page] as Buffer, samples), `${dpi} dpi, page ${page}`).toBe(true)
  }
})
