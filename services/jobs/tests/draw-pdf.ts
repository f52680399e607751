/** Draws pages by the PDFium of the agent. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPdf } from '@platen/agent/spoolers/pdf/pages.ts'
import { onTestFinished } from 'vitest'

export async function draw(pdf: Buffer) {
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
