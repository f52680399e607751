/** The program of the processes of `previews.ts`. */
import { drawPreview } from '@platen/preview/preview.ts'
import { toSvg } from '@platen/preview/svg.ts'
import { serveRequests } from '@platen/runtime/process-pool.ts'
import type { DrawnPreview, PreviewPage, PreviewRequest } from './previews.ts'

const round = (mm: number): number => Math.round(mm * 100) / 100

/** The size of all pictures of a document, which the gateway holds until they are sent. */
const SVG_MAX_CHARACTERS = 2_000_000

const CUT = {
  offset: 0,
  message: `The picture ends here, because it would have more than ${SVG_MAX_CHARACTERS / 1_000_000} MB.`,
}

async function draw({ document, options }: PreviewRequest): Promise<DrawnPreview> {
  const { language, pages } = drawPreview(document, options)
  let left = SVG_MAX_CHARACTERS
  const drawn = pages.map((page): PreviewPage => {
    const { svg, isWhole } = toSvg(page, left)
    left = Math.max(0, left - svg.length)
    return {
      svg,
      widthMm: round(page.widthMm),
      heightMm: round(page.heightMm),
      warnings: isWhole ? page.warnings : [...page.warnings, CUT],
      events: page.events.map(({ kind, y }) => ({ kind, atMm: round((y / page.height) * page.heightMm) })),
    }
  })
  return { language, pages: drawn }
}

await serveRequests('pictures', draw)
process.exit(0)
