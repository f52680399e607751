/** `npm run bench -- pdf`: CPU of the agent and its process for the inspection of a PDF with ten pages. Linux only. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspectPdf } from '../../agent/spoolers/pdf/inspections.ts'
import { toStream, writePdf } from '../cups/build-pdf.ts'
import { cpuMicroseconds } from './cpu.ts'
import { type Figures, printTable } from './report.ts'

const PAGES = 10
const LINES = 40

export async function benchPdf(documents: number): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'platen-bench-'))
  const file = join(directory, 'document')
  const measure = async (box: string, count: number) => {
    await writeFile(file, createDocument(box))
    const before = await readCpu()
    for (let n = 0; n < count; n++) await inspectPdf(file, `${file}.repaired`)
    return Number((((await readCpu()) - before) / 1000 / count).toFixed(1))
  }
  try {
    const first = await measure('0 0 595 842', 1)
    // PDFium is compiled by its first calls.
    await measure('288 432 0 0', 10)
    const figures: Figures = {
      'CPU ms, start of the process and first document': first,
      'CPU ms, 10 pages of A4': await measure('0 0 595 842', documents),
      'CPU ms, 10 labels': await measure('0 0 288 432', documents),
      'CPU ms, 10 pages with a reversed media box': await measure('595 842 0 0', documents),
    }
    printTable(figures)
  } finally {
    await rm(directory, { recursive: true })
  }
}

const readCpu = async () => (await cpuMicroseconds({ agent: process.pid })).agent ?? Number.NaN

/** Pages with text. */
function createDocument(box: string): Buffer {
  const line = '(The quick brown fox jumps over the lazy dog 0123456789) Tj 0 -9 Td'
  const content = `BT /F1 8 Tf 10 420 Td ${`${line}\n`.repeat(LINES)} ET`
  const kids = Array.from({ length: PAGES }, (_, index) => `${4 + index * 2} 0 R`).join(' ')
  const page = `<< /Type /Page /Parent 2 0 R /MediaBox [${box}] /Resources << /Font << /F1 3 0 R >> >>`
  return writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${PAGES} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...Array.from({ length: PAGES }, (_, index) => [
      `${page} /Contents ${5 + index * 2} 0 R >>`,
      toStream(content),
    ]).flat(),
  ])
}
