/** Reference: docs/reference/printers.md#the-printer-object. */
import { create } from '@bufbuild/protobuf'
import type { Printer } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import {
  type PaperSize,
  type PrinterCapabilities,
  PrinterCapabilitiesSchema,
} from '@platen/proto/gen/platen/devices/v1/printer_pb.ts'
import { z } from 'zod'
import { EXAMPLE_IDS } from './example-of.ts'
import { id, integer, number, timestamp } from './fields.ts'
import { PRINTER_LIMITS } from './limits.ts'
import { createPageSchema } from './page-schema.ts'
import { PRINT_OPTIONS } from './print-options.ts'
import { shortText } from './text.ts'
import { createToJson } from './to-json.ts'

const length = () => z.int().nullable()
const values = (option: string, example: string[], more = '') =>
  z.array(z.string()).meta({ description: `The values of the option \`${option}\`${more}.`, example })
const ability = (description: string, example: boolean) => z.boolean().meta({ description, example })

export const RASTER = z
  .object({
    rawLanguage: z.string().meta({ description: 'The language of the printer: `zpl` or `escpos`.', example: 'zpl' }),
    dpi: z.int().meta({ description: 'The dots per inch.', example: 203 }),
    width: z.int().meta({ description: 'The width of the printed area in dots.', example: 812 }),
  })
  .meta({ id: 'Raster', description: 'The way in which an agent draws PDFs and images for a printer.' })

export const CAPABILITIES = z
  .object({
    papers: z.record(z.string(), z.tuple([length(), length()])).meta({
      description:
        'The papers by name, as `[width, height]` in tenths of a millimetre. A side is null if the driver reports none, for example for a roll. The names are values of the option `paper`.',
      example: { A4: [2100, 2970], A5: [1480, 2100] },
    }),
    bins: values('bin', ['auto', 'tray-2']),
    dpis: values('dpi', ['600x600'], ', written `600x600`'),
    medias: values('media', ['stationery']),
    extent: z
      .tuple([z.tuple([length(), length()]), z.tuple([length(), length()])])
      .nullable()
      .meta({
        description:
          'The smallest and the largest custom paper, `[[minWidth, minHeight], [maxWidth, maxHeight]]` in tenths of a millimetre. Null if the driver reports none.',
        example: [
          [760, 1270],
          [2160, 3560],
        ],
      }),
    printrate: z
      .object({
        rate: z.number().meta({ description: 'The rated speed in `unit`.', example: 30 }),
        unit: z.string().meta({ description: 'The unit of `rate`: `ppm` is pages a minute.', example: 'ppm' }),
      })
      .meta({ id: 'PrintRate', description: 'The rated speed of a printer.' })
      .nullable()
      .meta({ description: 'The rated speed of the printer. Null if the driver reports none.' }),
    duplex: ability('True if the printer prints on both sides.', true),
    color: ability('True if the printer prints in colour.', false),
    collate: ability('True if the printer sorts copies into sets.', true),
    copies: z.int().meta({ description: 'The largest value of the option `copies`.', example: 99 }),
    nup: z
      .array(z.int())
      .meta({ description: 'The values of the option `nup`, numbers of pages on one sheet.', example: [1, 2, 4] }),
    supports_custom_paper_size: ability('True if the printer accepts papers that are not in `papers`.', true),
    rasterizes: ability(
      'True if the printer accepts raw data only, and its agent draws PDFs and images in its language.',
      false,
    ),
    formats: z
      .array(z.string())
      .nullable()
      .meta({
        description:
          'The documents that the printer takes: `pdf`, which includes images, and `raw`. Null if its agent does not report them. New ones can be added.',
        example: ['pdf', 'raw'],
      }),
    raster: RASTER.nullable().meta({
      description:
        'The way in which the agent draws PDFs and images for the printer. Null if it draws nothing, or does not report it.',
      example: { rawLanguage: 'zpl', dpi: 203, width: 812 },
    }),
    language: z.string().nullable().meta({
      description:
        'The language in which the agent asks a raw printer for its state and what it has printed: `zpl`, `escpos`, `star`, `sbpl` or `pjl`. Null if it does not ask it, or does not report it. New ones can be added.',
      example: 'zpl',
    }),
  })
  .meta({
    id: 'Capabilities',
    description:
      'The capabilities of a printer, as the operating system and the installed driver report them. Read only.',
  })

const { customPaperNameLengthMax, customPaperSide } = PRINTER_LIMITS
const side = (example: number) =>
  integer(customPaperSide).meta({ description: 'The length of this side in tenths of a millimetre.', example })

export const CUSTOM_PAPER = z
  .strictObject(
    {
      name: shortText(customPaperNameLengthMax).meta({
        description:
          'The name, a value of the option `paper`. Unique in the list. It has precedence over a paper of the driver with the same name.',
        example: 'Delivery note',
      }),
      width: side(2100),
      height: side(1480),
    },
    { error: (issue) => (issue.code === 'invalid_type' ? 'must be an object' : undefined) },
  )
  .meta({ id: 'CustomPaper', description: 'A custom paper size.' })

export const PRINTER = z
  .object({
    id: id().meta({
      description: 'The id of the printer. It does not change while the computer and `osName` are the same.',
      example: EXAMPLE_IDS.printer,
    }),
    number: number(12),
    computerId: id().meta({ description: 'The id of the computer of the printer.', example: EXAMPLE_IDS.computer }),
    name: z.string().meta({ description: 'The name that the agent reports.', example: 'Office laser' }),
    osName: z
      .string()
      .meta({ description: 'The name of the printer in the operating system.', example: 'office-laser' }),
    description: z
      .string()
      .meta({ description: 'The description that the driver reports.', example: 'A4 mono laser printer' }),
    displayName: z.string().meta({ description: 'The name for people. Editable.', example: 'Back office' }),
    remarks: z.string().nullable().meta({ description: 'Your notes. Editable.', example: 'Refill tray 2 on Mondays' }),
    enabled: z.boolean().meta({
      description:
        'True if the printer accepts jobs. Jobs that were accepted before it was disabled wait in `queued`. Editable.',
      example: true,
    }),
    shared: z.boolean().meta({
      description: 'True if computers can print on it with a print access. Editable.',
      example: false,
    }),
    isDefault: z.boolean().meta({ description: 'True for the default printer of the computer.', example: true }),
    state: z.enum(['online', 'offline', 'unknown']).meta({
      description:
        'The state of the printer, `unknown` while its computer is offline. A printer that is not online accepts jobs, which wait.',
      example: 'online',
    }),
    stateDetail: z.string().meta({
      description: 'Details of the state for people, such as out of paper or cover open. Can be empty.',
      example: '',
    }),
    stateReasons: z.array(z.string()).meta({
      description: 'Details of the state for programs: IPP keywords such as `media-empty` or `cover-open`.',
      example: [],
    }),
    capabilities: CAPABILITIES,
    defaultOptions: PRINT_OPTIONS.meta({
      description: 'Options for jobs that do not set them. Editable.',
      example: { paper: 'A4' },
    }),
    customPapers: z.array(CUSTOM_PAPER).meta({ description: 'Your custom paper sizes, at most 50. Editable.' }),
    defaultExpireAfter: z.int().nullable().meta({
      description:
        'The number of seconds that a job can wait for its agent if it has no `expireAfter`. Null: 86,400, a day. Editable.',
      example: null,
    }),
    createdAt: timestamp().meta({ description: 'The time of the first report.', example: '2026-02-27T08:00:00.000Z' }),
    updatedAt: timestamp().meta({ description: 'The time of the last change.', example: '2026-03-02T08:15:42.310Z' }),
  })
  .meta({ id: 'Printer', description: 'A printer that an agent has reported.' })

export const PRINTER_PAGE = createPageSchema(PRINTER, 'PrinterPage', 'printers')

export type PrinterJson = z.infer<typeof PRINTER>

/** `[width, height]` in tenths of a millimetre. */
const sizeToJson = (size: PaperSize | undefined): [number | null, number | null] => [
  size?.width ?? null,
  size?.height ?? null,
]

const capabilitiesToJson = createToJson<PrinterCapabilities, typeof CAPABILITIES>(CAPABILITIES, {
  papers: ({ papers }) => Object.fromEntries(papers.map(({ name, size }) => [name, sizeToJson(size)])),
  extent: ({ extent }) => (extent ? [sizeToJson(extent.min), sizeToJson(extent.max)] : null),
  supports_custom_paper_size: ({ supportsCustomPaperSize }) => supportsCustomPaperSize,
  formats: ({ formats }) => formats?.names ?? null,
  language: ({ language }) => language ?? null,
})

export const printerToJson = createToJson<Printer, typeof PRINTER>(PRINTER, {
  capabilities: ({ capabilities }) => capabilitiesToJson(capabilities ?? create(PrinterCapabilitiesSchema)),
})
