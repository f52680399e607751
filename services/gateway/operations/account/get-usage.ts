import { timestamp } from '@platen/resources/fields.ts'
import { TEST_JOBS_PER_DAY } from '@platen/resources/limits.ts'
import { timestampToJson } from '@platen/resources/timestamp-to-json.ts'
import { z } from 'zod'
import { callerOf } from '../../context.ts'
import { operation } from '../../operation.ts'
import { required } from '../../required.ts'

const used = (what: string, example: number) => z.int().meta({ description: `How many ${what}.`, example })
const limit = () =>
  z.int().nullable().meta({ description: 'The limit of the plan. Null: there is none.', example: null })

const USAGE = z
  .object({
    period: z
      .object({
        start: timestamp().meta({ description: 'Its first moment.', example: '2026-03-01T00:00:00.000Z' }),
        end: timestamp().meta({
          description: 'The first moment of the next period.',
          example: '2026-04-01T00:00:00.000Z',
        }),
      })
      .meta({ description: 'The calendar month, in UTC.' }),
    prints: z
      .object({ used: used('live jobs were accepted in this period', 1284), limit: limit() })
      .meta({ description: 'One print is one accepted live job, whatever its pages, `qty` or outcome.' }),
    computers: z
      .object({ used: used('live computers there are', 3), limit: limit() })
      .meta({ description: 'Enrolled computers.' }),
    plan: z.string().meta({ description: 'The plan of the organization.', example: 'self-hosted' }),
    testJobsToday: z
      .object({
        used: used('test jobs were accepted today', 17),
        limit: z.int().meta({ description: 'How many are accepted in one UTC day.', example: TEST_JOBS_PER_DAY }),
        resetsAt: timestamp().meta({ description: 'When the next day begins.', example: '2026-03-03T00:00:00.000Z' }),
      })
      .meta({ description: 'Test jobs are no prints and have a limit of their own.' }),
  })
  .meta({ id: 'Usage', description: 'What the organization uses. A test key sees the live usage too.' })

export const getUsage = operation({
  operationId: 'getUsage',
  method: 'get',
  path: '/v1/usage',
  scope: 'read',
  tag: 'Account',
  summary: 'Read the usage',
  description:
    'What the organization has used in the current calendar month, in UTC, and what its plan allows. A test key sees the live usage too.',
  answer: { status: 200, description: 'The usage of the current period.', schema: USAGE },
  handle:
    ({ usage, devices, jobs }) =>
    async ({ ctx }) => {
      const organizationId = callerOf(ctx).organization.id
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
