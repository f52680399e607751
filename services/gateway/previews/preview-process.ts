/** The program of the processes of `previews.ts`. */
import type { Page } from '@platen/preview/display-list.ts'
import { drawPreview } from '@platen/preview/preview.ts'
import { toSvg } from '@platen/preview/svg.ts'
import { serveRequests } from '@platen/runtime/process-pool.ts'
import type { DrawnPreview, PreviewPage, PreviewRequest } from './previews.ts'

/** Of the whole process, beside the heap what Node itself needs. */
const MEMORY_MAX_BYTES = 512 * 1024 * 1024

const round = (mm: number): number => Math.round(mm * 100) / 100

const toPreviewPage = (page: Page): PreviewPage => ({
  svg: toSvg(page),
  widthMm: round(page.widthMm),
  heightMm: round(page.heightMm),
  warnings: page.warnings,
  events: page.events.map(({ kind, y }) => ({ kind, atMm: round((y / page.height) * page.heightMm) })),
})

async function draw({ document, options }: PreviewRequest): Promise<DrawnPreview> {
  const { language, pages } = drawPreview(document, options)
  return { language, pages: pages.map(toPreviewPage) }
}

await serveRequests(draw, MEMORY_MAX_BYTES)
process.exit(0)
