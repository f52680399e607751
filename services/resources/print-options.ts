/**
 * The forms of print options, independent of the values that a printer offers. Reference:
 * docs/reference/options.md#values.
 */
import { z } from 'zod'
import { integer } from './fields.ts'
import { text } from './text.ts'

const positiveInteger = integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
const boolean = z.boolean('must be true or false')

/** `n`, `n-m`, `n-`, `-m`, or `-` for all. */
const PAGE_RANGE = /^(?<from>[1-9]\d{0,8})?(?<dash>-)?(?<to>[1-9]\d{0,8})?$/

/** `1-3,7,9-`: 1-based, and no range runs backwards. */
function isPageList(list: string): boolean {
  return list.split(',').every((range) => {
    const { from, dash, to } = PAGE_RANGE.exec(range)?.groups ?? {}
    if (dash === undefined) return from !== undefined && to === undefined
    return from === undefined || to === undefined || Number(from) <= Number(to)
  })
}

/** `auto`, or the left and upper edge, the width and the height of a box, up to 100 m. */
const CROP = /^(auto|(\d{1,6},){2}[1-9]\d{0,5},[1-9]\d{0,5})$/

const option = <Value extends z.ZodType>(value: Value, description: string, example: unknown) =>
  value.nullish().meta({
    description: `${description} Null: not set, also if the default options of the printer have a value.`,
    example,
  })

/** `null`: not set, without a default. Reference: docs/reference/options.md#options-that-are-not-set. */
export const PRINT_OPTIONS = z
  .strictObject(
    {
      bin: option(text(), 'The paper tray, one of `capabilities.bins`.', 'tray-2'),
      copies: option(
        positiveInteger,
        'The number of copies that the printer makes, at most `capabilities.copies`. If not set, 1.',
        2,
      ),
      duplex: option(
        z.enum(['long-edge', 'short-edge', 'one-sided'], 'must be `long-edge`, `short-edge` or `one-sided`'),
        'Printing on both sides, turned at the long or the short edge, or on one side.',
        'long-edge',
      ),
      paper: option(text(), 'The name of a paper in `capabilities.papers` or `customPapers`.', 'A4'),
      pages: option(
        // Without a pattern in the OpenAPI document, because clients in Go cannot check one of a value that can be
        // null.
        text().refine(
          isPageList,
          'must be a comma list of pages `n`, `n-m`, `n-`, `-m`, or `-`, counted from 1 with the smaller number first, for example `1-3,5`',
        ),
        'The pages to print, counted from 1: a comma list of `n`, `n-m`, `n-`, `-m`, or `-` for all.',
        '1-3,5',
      ),
      crop: option(
        text().refine(
          (crop) => CROP.test(crop),
          'must be `auto` or `x,y,width,height` in tenths of a millimetre, for example `0,0,1050,1480`',
        ),
        'The part of each page to print: `x,y,width,height` in tenths of a millimetre from its upper left corner, or `auto` for what is printed on it, with a margin of 3 mm.',
        '0,0,1050,1480',
      ),
      rotate: option(
        z.literal([0, 90, 180, 270], 'must be 0, 90, 180 or 270').meta({ type: 'integer' }),
        'The rotation in degrees, clockwise for the reader of the sheet. On Windows only 90 and 270.',
        90,
      ),
      fit_to_page: option(
        boolean,
        'True scales pages to the printable area, false prints them at 100 %. If not set, only larger pages are scaled.',
        true,
      ),
      color: option(boolean, 'True prints in colour, false in shades of grey.', false),
      dpi: option(
        text('must be a string, for example `300x300` or `300`'),
        'The resolution, one of `capabilities.dpis`; `300` is `300x300`. Not on Windows.',
        '600x600',
      ),
      media: option(text(), 'The kind of paper, one of `capabilities.medias`. Not on Windows.', 'stationery'),
      collate: option(boolean, 'True sorts copies into sets. Not on Windows.', true),
      nup: option(positiveInteger, 'The number of pages on one sheet, one of `capabilities.nup`. Not on Windows.', 2),
    },
    { error: (issue) => (issue.code === 'invalid_type' ? 'must be an object' : undefined) },
  )
  .meta({
    id: 'PrintOptions',
    description:
      'Print options. An omitted option has the value of the default options of the printer. An option or a value that the printer does not support is dropped and named in `stateMessage`. Raw jobs ignore options.',
    example: { duplex: 'long-edge' },
  })
