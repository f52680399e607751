/** Reference: docs/reference/authentication.md#identity and docs/reference/usage.md#fields. */

import { id, mode, timestamp } from '@platen/resources/fields.ts'
import { z } from 'zod'

export const IDENTITY = z
  .object({
    organization: z
      .object({ id: id().describe('The id of the organization.'), name: z.string().describe('Its name.') })
      .describe('Whose data the credential reaches.'),
    mode: mode().describe('The mode that the credential works in.'),
    apiKey: z
      .object({
        id: id().describe('The id of the key.'),
        name: z.string().describe('The name that it was given.'),
        prefix: z.string().describe('The beginning of the key, by which people know it again.'),
        scopes: z.array(z.enum(['read', 'print', 'admin'])).describe('What it may do. `admin` may do everything.'),
        createdAt: timestamp().describe('When it was made.'),
      })
      .nullable()
      .describe('The key that made the request. Null for a user of the dashboard.'),
    user: z
      .object({
        id: id().describe('The id of the user.'),
        email: z.string().describe('The address that the user signs in with.'),
        role: z.enum(['owner', 'admin', 'member']).describe('What the user may do.'),
      })
      .nullable()
      .describe('The user of the dashboard. Null for a key.'),
  })
  .describe('Who makes the request. Exactly one of `apiKey` and `user` is set.')

const used = (what: string) => z.int().describe(`How many ${what}.`)
const limit = () => z.int().nullable().describe('The limit of the plan. Null: there is none.')

export const USAGE = z
  .object({
    period: z
      .object({
        start: timestamp().describe('Its first moment.'),
        end: timestamp().describe('The first moment of the next period.'),
      })
      .describe('The calendar month, in UTC.'),
    prints: z
      .object({ used: used('live jobs were accepted in this period'), limit: limit() })
      .describe('One print is one accepted live job, whatever its pages, `qty` or outcome.'),
    computers: z.object({ used: used('live computers there are'), limit: limit() }).describe('Enrolled computers.'),
    plan: z.string().describe('The plan of the organization.'),
    testJobsToday: z
      .object({
        used: used('test jobs were accepted today'),
        limit: z.int().describe('How many are accepted in one UTC day.'),
        resetsAt: timestamp().describe('When the next day begins.'),
      })
      .describe('Test jobs are no prints and have a limit of their own.'),
  })
  .describe('What the organization uses. A test key sees the live usage too.')
