/** The fields of `PATCH /v1/printers/{id}`. Reference: docs/reference/printers.md#editing. */

import { PRINT_OPTIONS } from '@platen/resources/print-options.ts'
import { shortText } from '@platen/resources/text.ts'
import { z } from 'zod'

const CUSTOM_PAPERS_MAX = 50

/** Tenths of a millimetre; the upper end is that of the contract between the services. */
const SIZE_RULE = 'must be an integer from 1 to 2147483647'
const size = z.int(SIZE_RULE).min(1, SIZE_RULE).max(2_147_483_647, SIZE_RULE)

const CUSTOM_PAPER = z.strictObject(
  { name: shortText(64), width: size, height: size },
  { error: (issue) => (issue.code === 'invalid_type' ? 'must be an object' : undefined) },
)

const CUSTOM_PAPERS = z
  .array(CUSTOM_PAPER, 'must be an array')
  .max(CUSTOM_PAPERS_MAX, `must have at most ${CUSTOM_PAPERS_MAX} entries`)
  .refine(
    (papers) => new Set(papers.map(({ name }) => name)).size === papers.length,
    'must not have two papers of one name',
  )

export const PRINTER_CHANGES = z.strictObject(
  {
    displayName: shortText(255).optional(),
    enabled: z.boolean('must be true or false').optional(),
    remarks: shortText(2000, 0).nullish(),
    defaultOptions: PRINT_OPTIONS.optional(),
    customPapers: CUSTOM_PAPERS.optional(),
  },
  { error: (issue) => (issue.code === 'invalid_type' ? 'The body must be a JSON object' : undefined) },
)

export type PrinterChanges = z.infer<typeof PRINTER_CHANGES>
