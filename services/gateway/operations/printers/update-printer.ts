import type { JsonObject } from '@bufbuild/protobuf'
import { integer } from '@platen/resources/fields.ts'
import { PRINT_JOB_LIMITS, PRINTER_LIMITS } from '@platen/resources/limits.ts'
import { PRINT_OPTIONS } from '@platen/resources/print-options.ts'
import { CUSTOM_PAPER, PRINTER, printerToJson } from '@platen/resources/printer-schema.ts'
import { shortText } from '@platen/resources/text.ts'
import { z } from 'zod'
import { operation } from '../../operation/operation.ts'
import { jsonChanges } from '../../request/json-body-schema.ts'
import { required } from '../../required.ts'

const { displayNameLengthMax, remarksLengthMax, customPapersMax } = PRINTER_LIMITS

const PRINTER_CHANGES = jsonChanges({
  displayName: shortText(displayNameLengthMax)
    .optional()
    .meta({ description: 'The name for people.', example: 'Back office' }),
  enabled: z.boolean('must be true or false').optional().meta({ description: 'True if the printer accepts jobs.' }),
  shared: z
    .boolean('must be true or false')
    .optional()
    .meta({ description: 'True if computers can print on it with a print access.', example: true }),
  remarks: shortText(remarksLengthMax, 0).nullish().meta({ description: 'Your notes. Null removes them.' }),
  defaultOptions: PRINT_OPTIONS.optional().meta({
    description: 'Options for jobs that do not set them. They replace all earlier defaults.',
    example: { paper: 'A4' },
  }),
  customPapers: z
    .array(CUSTOM_PAPER, 'must be an array')
    .max(customPapersMax, `must have at most ${customPapersMax} entries`)
    .refine(
      (papers) => new Set(papers.map(({ name }) => name)).size === papers.length,
      'must not have two papers with the same name',
    )
    .optional()
    .meta({
      description: 'Your custom paper sizes. The list replaces the earlier list.',
      example: [{ name: 'Delivery note', width: 2100, height: 1480 }],
    }),
  defaultExpireAfter: integer(PRINT_JOB_LIMITS.expireAfterSeconds).nullish().meta({
    description: 'The `expireAfter` of new jobs that do not set it, in seconds. Null removes it, so that it is a day.',
    example: 3600,
  }),
}).meta({
  id: 'PrinterChanges',
  description: 'The changes. Omitted fields do not change; an empty object changes nothing.',
})

export const updatePrinter = operation({
  operationId: 'updatePrinter',
  method: 'patch',
  path: '/v1/printers/{id}',
  ids: { id: 'printer' },
  scope: 'admin',
  tag: 'Printers',
  summary: 'Change a printer',
  description:
    'Changes only the sent fields. `customPapers` and `defaultOptions` replace their earlier values. Jobs that were accepted before a printer is disabled wait until it is enabled again, or expire.',
  body: PRINTER_CHANGES,
  answer: { status: 200, description: 'The changed printer.', schema: PRINTER },
  handle:
    ({ devices, printers }) =>
    async ({ tenant, ids, body }) => {
      const { remarks, defaultOptions, customPapers, defaultExpireAfter, ...others } = body
      try {
        const { printer } = await devices.updatePrinter({
          ...others,
          ...tenant,
          printerId: ids.id,
          remarks: remarks === undefined ? undefined : { text: remarks ?? undefined },
          defaultOptions: defaultOptions as JsonObject | undefined,
          customPapers: customPapers && { papers: customPapers },
          defaultExpireAfter:
            defaultExpireAfter === undefined ? undefined : { seconds: defaultExpireAfter ?? undefined },
        })
        return printerToJson(required(printer))
      } finally {
        // A lost response counts as well, because the printer can have changed.
        printers.delete(tenant, ids.id)
      }
    },
})
