import { timestamp } from '@platen/resources/fields.ts'
import { TEST_JOBS_PER_DAY } from '@platen/resources/limits.ts'
import { timestampToJson } from '@platen/resources/timestamp-to-json.ts'
import { z } from 'zod'
import { getCaller } from '../../context.ts'
import { LIST, operation } from '../../operation/operation.ts'
import { required } from '../../required.ts'

const used = (what: string, example: number) => z.int().meta({ description: `The number of ${what}.`, example })
const limit = () => z.int().nullable().meta({ description: 'The limit of the plan. Null: unlimited.', example: null })

const USAGE = z
  .object({
    period: z
      .object({
        start: timestamp().meta({ description: 'The start of the period.', example: '2026-03-01T00:00:00.000Z' }),
        end: timestamp().meta({
          description: 'The start of the next period.',
          example: '2026-04-01T00:00:00.000Z',
        }),
      })
      .meta({ description: 'The calendar month, in UTC.' }),
    prints: z.object({ used: used('live jobs that were accepted in this period', 1284), limit: limit() }).meta({
      description:
        'The prints of the period. One print is one accepted live job, independent of its pages, `qty` and final state.',
    }),
    computers: z
      .object({ used: used('live computers', 3), limit: limit() })
      .meta({ description: 'Enrolled computers.' }),
    plan: z.string().meta({ description: 'The plan of the organization.', example: 'self-hosted' }),
    testJobsToday: z
      .object({
        used: used('test jobs that were accepted today', 17),
        limit: z
          .int()
          .meta({ description: 'The largest number that is accepted in one UTC day.', example: TEST_JOBS_PER_DAY }),
        resetsAt: timestamp().meta({
          description: 'The start of the next UTC day.',
          example: '2026-03-03T00:00:00.000Z',
        }),
      })
      .meta({ description: 'The test jobs of this UTC day. They are not prints and have a separate limit.' }),
  })
  .meta({ id: 'Usage', description: 'The usage of the organization. A test key gets the live usage as well.' })

export const getUsage = operation({
  operationId: 'getUsage',
  method: 'get',
  path: '/v1/usage',
  scope: 'read',
  // It calls three services.
  units: LIST,
  tag: 'Account',
  summary: 'Read the usage',
  description:
    'Returns the usage of the organization in the current calendar month, in UTC, and the limits of its plan. A test key gets the live usage as well.',
  answer: { status: 200, description: 'The usage of the current period.', schema: USAGE },
  handle:
    ({ usage, devices, jobs }) =>
    async ({ ctx }) => {
      const organizationId = getCaller(ctx).organization.id
      const [{ plan, ...period }, computers, testJobs] = await Promise.all([
        usage.getUsage({ organizationId }),
        devices.countComputers({ organizationId, mode: 'live' }),
        jobs.countTestJobsToday({ organizationId }),
      ])
      const { name, printsLimit, computersLimit } = required(plan)
      return {
        period: { start: timestampToJson(period.periodStart), end: timestampToJson(period.periodEnd) },
        prints: { used: period.printsUsed, limit: printsLimit ?? null },
        computers: { used: computers.count, limit: computersLimit ?? null },
        plan: name,
        testJobsToday: {
          used: testJobs.used,
          limit: testJobs.limit,
          resetsAt: timestampToJson(testJobs.resetsAt),
        },
      }
    },
})
