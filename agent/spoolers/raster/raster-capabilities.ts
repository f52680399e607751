/** What a raw printer offers for PDFs, which the agent draws for it. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ReportedPrinterSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { PDF_AND_RAW } from '../raw-documents.ts'
import type { RasterPrinter } from './raster-printer.ts'

type Reported = MessageInitShape<typeof ReportedPrinterSchema>['capabilities']

/** The data of each copy are sent. */
export const COPIES_MAX = 99

export const toDpi = ({ dpi }: RasterPrinter) => `${dpi}x${dpi}`

/** A raw queue has no papers. */
const toRoll = ({ width, dpi }: RasterPrinter) => [{ name: 'Roll', size: { width: Math.round((width / dpi) * 254) } }]

export function toPapers(reported: Reported, printer: RasterPrinter) {
  const { papers = [] } = reported ?? {}
  return papers.length > 0 ? papers : toRoll(printer)
}

export const toRasterCapabilities = (reported: Reported, printer: RasterPrinter) => ({
  ...reported,
  papers: toPapers(reported, printer),
  dpis: [toDpi(printer)],
  copies: COPIES_MAX,
  nup: [1],
  supportsCustomPaperSize: true,
  rasterizes: true,
  raster: printer,
  formats: PDF_AND_RAW,
})
