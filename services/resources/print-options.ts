/** The forms of print options, independent of the values that a printer offers. Reference: docs/reference/options.md#values. */
import { z } from 'zod'
import { text } from './text.ts'

const INTEGER_RULE = 'must be an integer of at least 1'
const positiveInteger = z.int(INTEGER_RULE).min(1, INTEGER_RULE)
const boolean = z.boolean('must be true or false')

/** `n`, `n-m`, `n-`, `-m`, or `-` for all. */
const PAGE_RANGE = /^(?<from>[1-9]\d{0,8})?(?<dash>-)?(?<to>[1-9]\d{0,8})?$/

/** `1-3,7,9-`: 1-based, and no range runs backwards. */
export function isPageList(list: string): boolean {
  return list.split(',').every((range) => {
    const { from, dash, to } = PAGE_RANGE.exec(range)?.groups ?? {}
    if (dash === undefined) return from !== undefined && to === undefined
    return from === undefined || to === undefined || Number(from) <= Number(to)
  })
}

const option = <Value extends z.ZodType>(value: Value, description: string, example: unknown) =>
  value.nullish().meta({
    description: `${description} Null: not set, whatever the printer's default options say.`,
    example,
  })

/** `null`: not set, without a default. Reference: docs/reference/options.md#options-that-are-not-set. */
export const PRINT_OPTIONS = z
  .strictObject(
    {
      bin: option(text(), 'The paper tray, one of `capabilities.bins`.', 'tray-2'),
      copies: option(
        positiveInteger,
        'How many copies the printer makes, at most `capabilities.copies`. When it is not set, 1.',
        2,
      ),
      duplex: option(
        z.enum(['long-edge', 'short-edge', 'one-sided'], 'must be `long-edge`, `short-edge` or `one-sided`'),
        'Both sides, turned at the long or the short edge, or one side.',
        'long-edge',
      ),
      paper: option(text(), 'The name of a paper in `capabilities.papers` or `customPapers`.', 'A4'),
      pages: option(
        text().refine(
          isPageList,
          'must be a comma list of pages `n`, `n-m`, `n-`, `-m`, or `-`, counted from 1 with the smaller number first, for example `1-3,5`',
        ),
        'The pages to print, counted from 1: a comma list of `n`, `n-m`, `n-`, `-m`, or `-` for all.',
        '1-3,5',
      ),
      rotate: option(
        z.literal([0, 90, 180, 270], 'must be 0, 90, 180 or 270'),
        'Degrees clockwise, as the reader of the sheet sees it. On Windows only 90 and 270.',
        90,
      ),
      fit_to_page: option(
        boolean,
        'True scales to the printable area, false prints at 100 %. When it is not set, only what is larger is shrunk.',
        true,
      ),
      color: option(boolean, 'Colour, or shades of grey.', false),
      dpi: option(
        text('must be a string, for example `300x300` or `300`'),
        'The resolution, one of `capabilities.dpis`; `300` is `300x300`. Not on Windows.',
        '600x600',
      ),
      media: option(text(), 'The kind of paper, one of `capabilities.medias`. Not on Windows.', 'stationery'),
      collate: option(boolean, 'Sorts copies into sets. Not on Windows.', true),
      nup: option(positiveInteger, 'Pages on one sheet, one of `capabilities.nup`. Not on Windows.', 2),
    },
    { error: (issue) => (issue.code === 'invalid_type' ? 'must be an object' : undefined) },
  )
  .meta({
    id: 'PrintOptions',
    description:
      'How to print. Every option may be left out, and is then filled from the default options of the printer. An option or a value that the printer cannot honour is dropped, and named in `stateMessage`. Raw jobs ignore options.',
    example: { duplex: 'long-edge' },
  })
