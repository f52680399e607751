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

/** `null` stands for the device's own default. */
export const PRINT_OPTIONS = z.strictObject(
  {
    bin: text().nullish(),
    copies: positiveInteger.nullish(),
    duplex: z
      .enum(['long-edge', 'short-edge', 'one-sided'], 'must be `long-edge`, `short-edge` or `one-sided`')
      .nullish(),
    paper: text().nullish(),
    pages: text().refine(isPageList, 'must be a comma list of pages `n`, `n-m`, `n-`, `-m`, or `-`').nullish(),
    rotate: z.literal([0, 90, 180, 270], 'must be 0, 90, 180 or 270').nullish(),
    fit_to_page: boolean.nullish(),
    color: boolean.nullish(),
    dpi: text().nullish(),
    media: text().nullish(),
    collate: boolean.nullish(),
    nup: positiveInteger.nullish(),
  },
  { error: (issue) => (issue.code === 'invalid_type' ? 'must be an object' : undefined) },
)
