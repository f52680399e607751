import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { JobStatistics, Percentiles } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import { timestamp } from '@platen/resources/fields.ts'
import { FINAL_STATES, type FinalState } from '@platen/resources/job-states.ts'
import { PRINT_JOB_LIMITS, STATISTICS_DAYS } from '@platen/resources/limits.ts'
import { createPageSchema } from '@platen/resources/page-schema.ts'
import { shortText } from '@platen/resources/text.ts'
import { z } from 'zod'
import { LARGE, operation } from '../../operation/operation.ts'
import { idOrNumber } from '../../request/id-or-number.ts'
import { PAGE_QUERY } from '../../request/page.ts'
import { time } from '../../request/time.ts'
import { required } from '../../required.ts'

const GROUPS = ['printer', 'computer', 'key', 'source'] as const
const DAY_MS = 24 * 60 * 60 * 1000

const jobs = (what: string, example: number) =>
  z.int().meta({ description: `The number of jobs that ${what}.`, example })

const PERCENTILES = z
  .object({
    p50: z.number().meta({ description: 'Half of the jobs took at most so many seconds.', example: 1.83 }),
    p95: z.number().meta({ description: '95 % of the jobs took at most so many seconds.', example: 6.17 }),
  })
  .meta({
    id: 'JobDurations',
    description: 'The times that jobs took, in seconds. The relative error is at most 10 %.',
  })

const percentiles = (what: string) => PERCENTILES.nullable().meta({ description: `${what} Null without such a job.` })

const ENTRY = z
  .object({
    start: timestamp().meta({ description: 'The start of the interval.', example: '2026-03-02T00:00:00.000Z' }),
    value: z.string().nullable().meta({
      description:
        'The id of the printer, computer or key, or the `source`, by `groupBy` or the filter. Null for all jobs, and with `groupBy=key` for jobs that were not created with a key.',
      example: null,
    }),
    accepted: jobs('were created in the interval', 214),
    done: jobs('ended as `done` in the interval', 208),
    error: jobs('ended as `error` in the interval', 3),
    cancelled: jobs('ended as `cancelled` in the interval', 1),
    expired: jobs('ended as `expired` in the interval', 0),
    reasons: z
      .array(
        z.object({
          state: z.enum(FINAL_STATES).meta({ description: 'The final state.', example: 'error' }),
          reason: z.string().meta({
            description: 'The reason of the end: a keyword, or `other` for one that is not documented.',
            example: 'document-format-not-supported',
          }),
          jobs: z.int().meta({ description: 'The number of jobs.', example: 2 }),
        }),
      )
      .meta({
        description: 'The jobs that did not end as `done`, by their reason. Jobs without a reason are not in it.',
      }),
    confirmedBy: z
      .object({
        printer: jobs('the printer itself said are on paper', 150),
        spooler: jobs('the operating system, or the end of the connection, said are through', 57),
        nobody: jobs('nothing confirmed', 1),
      })
      .meta({
        description:
          'The jobs that ended as `done`, by what confirmed the print. Jobs that ended in an earlier release are not in it.',
      }),
    secondsToPrinting: percentiles('The time from the creation until the spooler had taken the job.'),
    secondsToDone: percentiles('The time from the creation until the job was `done`.'),
  })
  .meta({ id: 'JobStatistics', description: 'Counts of jobs in an interval, and how long they took.' })

const QUERY = PAGE_QUERY.extend({
  interval: z
    .enum(['hour', 'day', 'month'], 'must be `hour`, `day` or `month`')
    .default('day')
    .meta({ description: 'The length of an interval, in UTC.' }),
  groupBy: z
    .enum(GROUPS, `must be one of ${GROUPS.map((group) => `\`${group}\``).join(', ')}`)
    .optional()
    .meta({ description: 'An entry for each value and interval. Cannot be combined with a filter by another value.' }),
  since: time()
    .optional()
    .meta({
      description: `The first interval is that of this time. Default: ${STATISTICS_DAYS.days} days ago.`,
    }),
  until: time().optional().meta({ description: 'Only intervals that start before this time. Default: now.' }),
  printerId: idOrNumber('Only jobs for this printer.'),
  computerId: idOrNumber('Only jobs for printers of this computer.'),
  keyId: z
    .guid('must be a UUID')
    .toLowerCase()
    .optional()
    .meta({ description: 'Only jobs that were created with this API key.' }),
  source: shortText(PRINT_JOB_LIMITS.sourceLengthMax)
    .optional()
    .meta({ description: 'Only jobs with exactly this `source`.' }),
}).superRefine(({ groupBy, ...query }, context) => {
  const [filter, other] = getFilters(query).map(([name]) => name)
  const refuse = (path: string, by: string) =>
    context.addIssue({ code: 'custom', path: [path], message: `cannot be combined with \`${by}\`` })
  if (filter && other) refuse(other, filter)
  else if (filter && groupBy && groupBy !== toGroup(filter)) refuse(filter, `groupBy=${groupBy}`)
})

type Query = Partial<Record<(typeof FILTERS)[number], string>> & { groupBy?: string | undefined }

const FILTERS = ['printerId', 'computerId', 'keyId', 'source'] as const

const getFilters = (query: Query) =>
  FILTERS.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]] as const]))

const toGroup = (filter: string) => filter.replace(/Id$/, '')

export const listStatistics = operation({
  operationId: 'listStatistics',
  method: 'get',
  path: '/v1/statistics',
  scope: 'read',
  tag: 'Account',
  summary: 'Count print jobs',
  description: `Counts the jobs of the organization and mode of the key by their final state and reason, by hour, day or month in UTC, the newest first by default. Intervals without a job have no entry. Days go back ${STATISTICS_DAYS.days} days, hours at least ${STATISTICS_DAYS.hours} days. The counts are up to date within 3 s, or within 12 s while the installation handles hundreds of jobs a second.`,
  query: QUERY,
  filterIds: { printerId: 'printer', computerId: 'computer' },
  units: LARGE,
  answer: {
    status: 200,
    description: 'A page of statistics.',
    schema: createPageSchema(ENTRY, 'JobStatisticsPage', 'intervals'),
  },
  handle:
    ({ usage, clock }) =>
    async ({ tenant, query }) => {
      const { interval, since, until } = query.filters
      const now = clock.now()
      const found = await usage.listStatistics({
        ...tenant,
        interval,
        ...toDimension(query.filters),
        from: timestampFromDate(since ?? new Date(now.getTime() - STATISTICS_DAYS.days * DAY_MS)),
        until: timestampFromDate(until ?? now),
        page: query.page,
      })
      return { data: found.entries.map(entryToJson), end: found.end }
    },
})

function toDimension({ groupBy, ...filters }: Query) {
  const [filter] = getFilters(filters)
  return filter ? { dimension: toGroup(filter[0]), value: filter[1] } : { dimension: groupBy ?? 'all' }
}

function entryToJson({ start, value, counts, confirmedBy, printing, done }: JobStatistics): z.output<typeof ENTRY> {
  const sum = (state: string) =>
    counts.filter((count) => count.state === state).reduce((total, { jobs }) => total + Number(jobs), 0)
  return {
    start: timestampDate(required(start)).toISOString(),
    value: value === '' ? null : value,
    accepted: sum('queued'),
    done: sum('done'),
    error: sum('error'),
    cancelled: sum('cancelled'),
    expired: sum('expired'),
    reasons: counts
      .filter(({ reason }) => reason !== '')
      .map(({ state, reason, jobs }) => ({
        state: state as FinalState,
        reason,
        jobs: Number(jobs),
      })),
    confirmedBy: {
      printer: Number(confirmedBy.printer),
      spooler: Number(confirmedBy.spooler),
      nobody: Number(confirmedBy.nobody),
    },
    secondsToPrinting: percentilesToJson(printing),
    secondsToDone: percentilesToJson(done),
  }
}

const percentilesToJson = (percentiles: Percentiles | undefined) =>
  percentiles ? { p50: percentiles.p50Seconds, p95: percentiles.p95Seconds } : null
