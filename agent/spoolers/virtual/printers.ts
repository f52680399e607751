/**
 * The four virtual printers of test mode, with the capabilities of typical devices. Reference:
 * docs/reference/test-mode.md#virtual-printers.
 */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ReportedPrinterSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { toRasterCapabilities } from '../raster/raster-capabilities.ts'
import type { RasterPrinter } from '../raster/raster-printer.ts'
import { PDF_AND_RAW } from '../raw-documents.ts'

type PrinterInit = MessageInitShape<typeof ReportedPrinterSchema>
type Capabilities = Exclude<PrinterInit['capabilities'], undefined>

/** In tenths of a millimetre; a roll has no height. */
type Size = [width: number, height?: number]

const papers = (sizes: Record<string, Size>) =>
  Object.entries(sizes).map(([name, [width, height]]) => ({ name, size: { width, height } }))

const extent = ([minWidth, minHeight]: Size, [maxWidth, maxHeight]: Size) => ({
  min: { width: minWidth, height: minHeight },
  max: { width: maxWidth, height: maxHeight },
})

const A4_LASER: Capabilities = {
  papers: papers({
    A4: [2100, 2970],
    A5: [1480, 2100],
    A6: [1050, 1480],
    'B5 (JIS)': [1820, 2570],
    Letter: [2159, 2794],
    Legal: [2159, 3556],
    'Envelope DL': [1100, 2200],
    'Envelope C5': [1620, 2290],
  }),
  bins: ['Automatically Select', 'Tray 1', 'Tray 2', 'Manual Feed'],
  dpis: ['300x300', '600x600', '1200x1200'],
  medias: ['Plain', 'Thick', 'Labels', 'Envelope'],
  extent: extent([762, 1270], [2160, 3560]),
  printrate: { rate: 38, unit: 'ppm' },
  duplex: true,
  color: false,
  collate: true,
  copies: 999,
  nup: [1, 2, 4, 6, 9, 16],
  supportsCustomPaperSize: true,
  formats: PDF_AND_RAW,
}

const LETTER_COLOR: Capabilities = {
  papers: papers({
    Letter: [2159, 2794],
    Legal: [2159, 3556],
    Executive: [1842, 2667],
    Statement: [1397, 2159],
    A4: [2100, 2970],
    '4x6in': [1016, 1524],
    'Envelope #10': [1048, 2413],
  }),
  bins: ['Auto', 'Tray 1', 'Tray 2'],
  dpis: ['600x600', '1200x1200'],
  medias: ['Plain', 'Glossy', 'Cardstock', 'Labels'],
  extent: extent([762, 1270], [2159, 3556]),
  printrate: { rate: 28, unit: 'ppm' },
  duplex: true,
  color: true,
  collate: true,
  copies: 999,
  nup: [1, 2, 4, 6, 9, 16],
  supportsCustomPaperSize: true,
  formats: PDF_AND_RAW,
}

const RECEIPT_80MM: Capabilities = {
  papers: papers({ 'Roll 80mm': [800], 'Roll 72mm printable': [720], '80x297mm': [800, 2970] }),
  bins: [],
  medias: [],
  extent: extent([500, 250], [800, 32767]),
  duplex: false,
  color: false,
  collate: false,
}

const LABEL_4X6: Capabilities = {
  papers: papers({ '4x6': [1016, 1524], '4x3': [1016, 762], '2x1': [508, 254], '4in Roll': [1016] }),
  bins: ['Main Roll'],
  medias: ['Labels', 'Continuous'],
  extent: extent([191, 64], [1016, 10058]),
  duplex: false,
  color: false,
  collate: false,
}

/** The printers that print raw documents, and for which the agent draws PDFs. */
export const RASTER_PRINTERS: Record<string, RasterPrinter | undefined> = {
  'Test Receipt 80mm': { rawLanguage: 'escpos', dpi: 203, width: 576 },
  'Test Label 4x6': { rawLanguage: 'zpl', dpi: 203, width: 812 },
}

/** The printers, as an agent with them reports them. */
export const VIRTUAL_PRINTERS: PrinterInit[] = [
  printer('Test A4 Laser', 'Virtual A4 mono laser printer with duplex', A4_LASER),
  printer('Test Letter Color', 'Virtual Letter colour printer with duplex', LETTER_COLOR),
  printer('Test Receipt 80mm', 'Virtual 80 mm receipt printer with ESC/POS', RECEIPT_80MM),
  printer('Test Label 4x6', 'Virtual 4x6 inch label printer with ZPL', LABEL_4X6),
].map((printer, index) => ({ ...printer, isDefault: index === 0 }))

function printer(name: string, description: string, offered: Capabilities): PrinterInit {
  const raster = RASTER_PRINTERS[name]
  const capabilities = raster ? (toRasterCapabilities(offered, raster) as Capabilities) : offered
  return { osName: name, name, description, state: 'online', stateDetail: '', stateReasons: [], capabilities }
}
