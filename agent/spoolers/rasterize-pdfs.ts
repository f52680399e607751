/** Draws each PDF for a raw printer whose language is known, before a spooler gets it. */
import { rm } from 'node:fs/promises'
import type { JsonObject, JsonValue, MessageInitShape } from '@bufbuild/protobuf'
import type { ReportedPrinterSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { ignoredOption, notOffered } from './ignored-option.ts'
import { drawPdfFile } from './pdf/inspections.ts'
import { refuseDocument } from './pdf/pdfium.ts'
import type { Drawing } from './raster/draw-pdf.ts'
import { COPIES_MAX, toDpi, toPapers, toRasterCapabilities } from './raster/raster-capabilities.ts'
import { type RasterConfig, type RasterPrinter, resolveRaster } from './raster/raster-printer.ts'
import { DRAWN, type Spooler, type Submission } from './spooler.ts'

type ReportedPrinter = MessageInitShape<typeof ReportedPrinterSchema>
type Capabilities = NonNullable<ReportedPrinter['capabilities']>

/** What the drawing has in any case. */
const WITHOUT_EFFECT: Record<string, JsonValue> = { duplex: 'one-sided', color: false, collate: false, nup: 1 }

/**
 * For spoolers that send raw data. A PDF for one of these printers becomes raw data, so its options are applied here
 * and not by the driver.
 *
 * @param getConfigured by the name of the printer.
 * @returns a spooler whose `submitHeld` also throws the SpoolerRefusal of `drawPdf`.
 */
export function rasterizePdfs(
  spooler: Spooler,
  getConfigured: (osName: string) => RasterConfig[string] | undefined,
): Spooler {
  const find = async (osName: string) => resolveRaster(getConfigured(osName), await spooler.recognizeRaster?.(osName))

  async function submitDrawn(submission: Submission, printer: RasterPrinter) {
    const list = await spooler.printers()
    const { capabilities } = list.find(({ osName }) => osName === submission.printerOsName) ?? {}
    const papers = toPapers(capabilities, printer)
    const { drawing, copies, warnings } = toDrawing(submission.options, printer, papers)
    const output = `${submission.file}.drawn`
    try {
      const drawn = await drawPdfFile(submission.file, output, drawing)
      if (!drawn) throw refuseDocument('it needs too much memory or time to be drawn')
      const drawnSubmission = { ...submission, file: output, contentType: DRAWN, options: {} }
      const { pdf: _, ...raw } = { ...drawnSubmission, qty: submission.qty * copies }
      const submitted = await spooler.submitHeld(raw)
      return {
        ...submitted,
        warnings: [...warnings, ...drawn.warnings, ...submitted.warnings],
        documentWarnings: drawn.documentWarnings,
      }
    } finally {
      await rm(output, { force: true })
    }
  }

  async function withRaster(printer: ReportedPrinter): Promise<ReportedPrinter> {
    const raster = await find(printer.osName ?? '')
    if (!raster) return printer
    return { ...printer, capabilities: toRasterCapabilities(printer.capabilities, raster) } as ReportedPrinter
  }

  return {
    ...spooler,

    async printers() {
      const list = await spooler.printers()
      return await Promise.all(list.map(withRaster))
    },

    async submitHeld(submission) {
      const raster = submission.contentType.startsWith('pdf_') ? await find(submission.printerOsName) : undefined
      return raster ? await submitDrawn(submission, raster) : await spooler.submitHeld(submission)
    },
  }
}

function toDrawing(options: JsonObject, printer: RasterPrinter, papers: NonNullable<Capabilities['papers']>) {
  const warnings: string[] = []
  const drawing: Drawing = { printer, placement: {} }
  const { pages, rotate, fit_to_page: fit, copies = 1, paper, dpi, ...others } = options
  const ignore = (name: string, value: JsonValue | undefined, offered: JsonValue[] = []) =>
    void warnings.push(ignoredOption(name, value, notOffered(offered)))
  if (typeof pages === 'string') drawing.pages = pages
  if (typeof rotate === 'number') drawing.placement.rotate = rotate
  if (typeof fit === 'boolean') drawing.placement.fit = fit
  if (paper !== undefined) {
    const size = findPaper(paper, papers)
    if (size) drawing.paper = size
    else
      ignore(
        'paper',
        paper,
        papers.map(({ name = '' }) => name),
      )
  }
  if (dpi !== undefined && dpi !== toDpi(printer)) ignore('dpi', dpi, [toDpi(printer)])
  for (const [name, value] of Object.entries(others)) if (value !== WITHOUT_EFFECT[name]) ignore(name, value)
  const count = Number(copies)
  if (count > COPIES_MAX) ignore('copies', count, [COPIES_MAX])
  return { drawing, warnings, copies: count > COPIES_MAX ? 1 : count }
}

/** @param paper a name, or a custom paper with its size. */
function findPaper(paper: JsonValue, papers: NonNullable<Capabilities['papers']>): Drawing['paper'] | undefined {
  if (typeof paper === 'object' && paper !== null && !Array.isArray(paper))
    return { width: Number(paper.width), height: Number(paper.height) }
  const { size } = papers.find(({ name }) => name === paper) ?? {}
  return size?.width ? { width: size.width, ...(size.height && { height: size.height }) } : undefined
}
