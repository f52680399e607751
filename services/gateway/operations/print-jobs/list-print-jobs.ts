/** See `docs/lists.md`. */
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { CONFIRMED_BY } from '@platen/resources/job-states.ts'
import { PRINT_JOB_LIMITS, SEARCH } from '@platen/resources/limits.ts'
import { METADATA_PAIRS } from '@platen/resources/metadata.ts'
import { JOB_PAGE, JOB_STATE, printJobToJson } from '@platen/resources/print-job-schema.ts'
import { shortText } from '@platen/resources/text.ts'
import { z } from 'zod'
import { LARGE, LIST, operation } from '../../operation/operation.ts'
import { anyOf } from '../../request/any-of.ts'
import { idOrNumber } from '../../request/id-or-number.ts'
import { hasSeveralFilters, number, PAGE_QUERY } from '../../request/page.ts'
import { time } from '../../request/time.ts'

const PRINT_JOBS_QUERY = PAGE_QUERY.extend({
  state: anyOf(JOB_STATE)
    .optional()
    .meta({ description: 'Only jobs in this state. Can be repeated to select several states.' }),
  printerId: idOrNumber('Only jobs for this printer.'),
  computerId: idOrNumber('Only jobs for printers of this computer.'),
  destinationId: idOrNumber('Only jobs that were sent to this destination.'),
  source: shortText(PRINT_JOB_LIMITS.sourceLengthMax)
    .optional()
    .meta({ description: 'Only jobs with exactly this `source`.' }),
  confirmedBy: z
    .enum(CONFIRMED_BY, `must be one of ${CONFIRMED_BY.map((who) => `\`${who}\``).join(', ')}`)
    .optional()
    .meta({ description: 'Only jobs that are `done` by this word.' }),
  batchId: z.guid('must be a UUID').toLowerCase().optional().meta({ description: 'Only jobs of this batch.' }),
  metadata: METADATA_PAIRS.optional().meta({
    description: 'Only jobs with this pair of metadata: `metadata[order]=4711`. Several pairs must all match.',
    param: { style: 'deepObject', explode: true },
  }),
  number: number('Only the job with this number.'),
  q: shortText(SEARCH.lengthMax)
    .refine((text) => text.trim() !== '', 'must have a character that is not white space')
    .optional()
    .meta({
      description: `Searches jobs: words with which words of the title begin, a \`number\` such as \`#1042\`, an id, a \`source\`, a value of \`metadata\`, or a part of the name of the printer. Returns one page of at most ${SEARCH.resultsMax} jobs, the newest first, and cannot be combined with other filters, \`after\` and \`dir=asc\`. Words inside titles are searched in the newest 5,000 jobs, and beginnings of titles in all.`,
    }),
  createdAfter: time().optional().meta({ description: 'Only jobs that were accepted at or after this time.' }),
  createdBefore: time().optional().meta({ description: 'Only jobs that were accepted before this time.' }),
}).superRefine(({ q, limit: _, dir, ...others }, context) => {
  const sent = { ...others, 'dir=asc': dir === 'asc' || undefined }
  const [name] = Object.entries(sent).find(([, value]) => value !== undefined) ?? []
  if (q !== undefined && name !== undefined)
    context.addIssue({ code: 'custom', path: ['q'], message: `cannot be combined with \`${name}\`` })
})

/** Each pair of metadata is a filter. */
const toSingle = ({ metadata, ...others }: { metadata?: object | undefined }) => ({ ...others, ...metadata })

export const listPrintJobs = operation({
  operationId: 'listPrintJobs',
  method: 'get',
  path: '/v1/printjobs',
  scope: 'read',
  tag: 'Print jobs',
  summary: 'List print jobs',
  description:
    'Lists the jobs of the organization and mode of the key, the newest first by default. Several filters select the jobs that match all of them.',
  query: PRINT_JOBS_QUERY,
  filterIds: { printerId: 'printer', computerId: 'computer', destinationId: 'destination' },
  units: ({ filters }) =>
    filters.q !== undefined || filters.confirmedBy !== undefined || hasSeveralFilters(toSingle(filters)) ? LARGE : LIST,
  answer: { status: 200, description: 'A page of jobs.', schema: JOB_PAGE },
  handle:
    ({ jobs, devices }) =>
    async ({ tenant, query }) => {
      const { state = [], createdAfter, createdBefore, q, ...filters } = query.filters
      if (q !== undefined) {
        const { printerIds } = await devices.findPrinters({ ...tenant, text: q.trim() })
        const { jobs: found } = await jobs.searchJobs({ ...tenant, text: q, printerIds })
        return { data: found.slice(0, query.page.limit).map(printJobToJson), end: undefined }
      }
      const found = await jobs.listJobs({
        ...tenant,
        ...filters,
        states: state,
        createdFrom: createdAfter && timestampFromDate(createdAfter),
        createdBefore: createdBefore && timestampFromDate(createdBefore),
        page: query.page,
      })
      return { data: found.jobs.map(printJobToJson), end: found.end }
    },
})
