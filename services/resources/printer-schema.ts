/** Reference: docs/reference/printers.md#the-printer-object. */
import { z } from 'zod'
import { id, timestamp } from './fields.ts'
import { PRINT_OPTIONS } from './print-options.ts'

const length = () => z.int().nullable()

export const CAPABILITIES = z
  .object({
    papers: z
      .record(z.string(), z.tuple([length(), length()]))
      .describe(
        'Each paper by its name, as `[width, height]` in tenths of a millimetre. A side is null where the driver tells none, as for a roll. The names are values of the option `paper`.',
      ),
    bins: z.array(z.string()).describe('Values of the option `bin`.'),
    dpis: z.array(z.string()).describe('Values of the option `dpi`, written `600x600`.'),
    medias: z.array(z.string()).describe('Values of the option `media`.'),
    extent: z
      .tuple([z.tuple([length(), length()]), z.tuple([length(), length()])])
      .nullable()
      .describe(
        'Smallest and largest custom paper, `[[minWidth, minHeight], [maxWidth, maxHeight]]` in tenths of a millimetre. Null when the driver tells none.',
      ),
    printrate: z
      .object({
        rate: z.number().describe('How many.'),
        unit: z.string().describe('Of what: `ppm` is pages a minute.'),
      })
      .nullable()
      .describe('The rated speed. Null when the driver tells none.'),
    duplex: z.boolean().describe('Prints on both sides.'),
    color: z.boolean().describe('Prints in colour.'),
    collate: z.boolean().describe('Sorts copies into sets.'),
    copies: z.int().describe('The largest value of the option `copies`.'),
    nup: z.array(z.int()).describe('Values of the option `nup`: pages on one sheet.'),
    supports_custom_paper_size: z.boolean().describe('Takes papers that are not in `papers`.'),
  })
  .describe('What the printer can do, as the operating system and the installed driver report it. Read only.')

export const CUSTOM_PAPER = z
  .object({
    name: z.string().describe('A value of the option `paper`. It wins over a paper of the driver with the same name.'),
    width: z.int().describe('In tenths of a millimetre.'),
    height: z.int().describe('In tenths of a millimetre.'),
  })
  .describe('A paper size of your own.')

export const PRINTER = z
  .object({
    id: id().describe('The id of the printer. It stays the same while the computer and `osName` do.'),
    computerId: id().describe('The computer that it is attached to.'),
    name: z.string().describe('Its name as the agent reports it.'),
    osName: z.string().describe('Its name in the operating system.'),
    description: z.string().describe('What the driver says about it.'),
    displayName: z.string().describe('The name to show to people. Editable.'),
    remarks: z.string().nullable().describe('Your notes. Editable.'),
    enabled: z
      .boolean()
      .describe(
        'Only an enabled printer takes jobs. Jobs that it took before it was disabled wait in `queued`. Editable.',
      ),
    isDefault: z.boolean().describe('Whether it is the default printer of its computer.'),
    state: z
      .enum(['online', 'offline', 'unknown'])
      .describe('`unknown` while its computer is offline. A printer that is not online takes jobs too: they wait.'),
    stateDetail: z.string().describe('More about its state, for people: out of paper, cover open. May be empty.'),
    stateReasons: z
      .array(z.string())
      .describe('The same for programs: IPP keywords such as `media-empty` or `cover-open`.'),
    capabilities: CAPABILITIES,
    defaultOptions: PRINT_OPTIONS.describe('Options for jobs that do not set them. Editable.'),
    customPapers: z.array(CUSTOM_PAPER).describe('Paper sizes of your own, at most 50. Editable.'),
    createdAt: timestamp().describe('When it was first reported.'),
    updatedAt: timestamp().describe('When it was last changed.'),
  })
  .describe('A printer that an agent has reported.')

export type PrinterJson = z.infer<typeof PRINTER>
