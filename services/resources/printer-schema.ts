/** Reference: docs/reference/printers.md#the-printer-object. */
import { z } from 'zod'
import { EXAMPLE_IDS } from './example-of.ts'
import { id, timestamp } from './fields.ts'
import { createPageSchema } from './page-schema.ts'
import { PRINT_OPTIONS } from './print-options.ts'

const length = () => z.int().nullable()
const values = (option: string, example: string[], more = '') =>
  z.array(z.string()).meta({ description: `Values of the option \`${option}\`${more}.`, example })
const ability = (description: string, example: boolean) => z.boolean().meta({ description, example })
const side = (example: number) => z.int().meta({ description: 'In tenths of a millimetre.', example })

export const CAPABILITIES = z
  .object({
    papers: z.record(z.string(), z.tuple([length(), length()])).meta({
      description:
        'Each paper by its name, as `[width, height]` in tenths of a millimetre. A side is null if the driver reports none, for example for a roll. The names are values of the option `paper`.',
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
          'Smallest and largest custom paper, `[[minWidth, minHeight], [maxWidth, maxHeight]]` in tenths of a millimetre. Null if the driver reports none.',
        example: [
          [760, 1270],
          [2160, 3560],
        ],
      }),
    printrate: z
      .object({
        rate: z.number().meta({ description: 'How many.', example: 30 }),
        unit: z.string().meta({ description: 'Of what: `ppm` is pages a minute.', example: 'ppm' }),
      })
      .nullable()
      .meta({ description: 'The rated speed. Null if the driver reports none.' }),
    duplex: ability('Prints on both sides.', true),
    color: ability('Prints in colour.', false),
    collate: ability('Sorts copies into sets.', true),
    copies: z.int().meta({ description: 'The largest value of the option `copies`.', example: 99 }),
    nup: z.array(z.int()).meta({ description: 'Values of the option `nup`: pages on one sheet.', example: [1, 2, 4] }),
    supports_custom_paper_size: ability('Takes papers that are not in `papers`.', true),
  })
  .meta({
    description: 'What the printer can do, as the operating system and the installed driver report it. Read only.',
  })

export const CUSTOM_PAPER = z
  .object({
    name: z.string().meta({
      description: 'A value of the option `paper`. It wins over a paper of the driver with the same name.',
      example: 'Delivery note',
    }),
    width: side(2100),
    height: side(1480),
  })
  .meta({ description: 'A paper size of your own.' })

export const PRINTER = z
  .object({
    id: id().meta({
      description: 'The id of the printer. It stays the same while the computer and `osName` do.',
      example: EXAMPLE_IDS.printer,
    }),
    computerId: id().meta({ description: 'The computer that it is attached to.', example: EXAMPLE_IDS.computer }),
    name: z.string().meta({ description: 'Its name as the agent reports it.', example: 'Office laser' }),
    osName: z.string().meta({ description: 'Its name in the operating system.', example: 'office-laser' }),
    description: z.string().meta({ description: 'What the driver says about it.', example: 'A4 mono laser printer' }),
    displayName: z.string().meta({ description: 'The name to show to people. Editable.', example: 'Back office' }),
    remarks: z.string().nullable().meta({ description: 'Your notes. Editable.', example: 'Refill tray 2 on Mondays' }),
    enabled: z.boolean().meta({
      description:
        'Only an enabled printer takes jobs. Jobs that it took before it was disabled wait in `queued`. Editable.',
      example: true,
    }),
    isDefault: z.boolean().meta({ description: 'Whether it is the default printer of its computer.', example: true }),
    state: z.enum(['online', 'offline', 'unknown']).meta({
      description: '`unknown` while its computer is offline. A printer that is not online takes jobs too: they wait.',
      example: 'online',
    }),
    stateDetail: z.string().meta({
      description: 'More about its state, for people: out of paper, cover open. May be empty.',
      example: '',
    }),
    stateReasons: z.array(z.string()).meta({
      description: 'The same for programs: IPP keywords such as `media-empty` or `cover-open`.',
      example: [],
    }),
    capabilities: CAPABILITIES,
    defaultOptions: PRINT_OPTIONS.meta({
      description: 'Options for jobs that do not set them. Editable.',
      example: { paper: 'A4' },
    }),
    customPapers: z.array(CUSTOM_PAPER).meta({ description: 'Paper sizes of your own, at most 50. Editable.' }),
    createdAt: timestamp().meta({ description: 'When it was first reported.', example: '2026-02-27T08:00:00.000Z' }),
    updatedAt: timestamp().meta({ description: 'When it was last changed.', example: '2026-03-02T08:15:42.310Z' }),
  })
  .meta({ id: 'Printer', description: 'A printer that an agent has reported.' })

export const PRINTER_PAGE = createPageSchema(PRINTER, 'PrinterPage', 'printers')

export type PrinterJson = z.infer<typeof PRINTER>
