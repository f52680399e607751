import { EXAMPLE_IDS } from '@platen/resources/example-of.ts'
import { id, timestamp } from '@platen/resources/fields.ts'
import { pageOf } from '@platen/resources/page-schema.ts'
import { timestampToJson } from '@platen/resources/timestamp-to-json.ts'
import { z } from 'zod'
import { operation } from '../../operation.ts'
import { PAGE_QUERY } from '../../request/page.ts'

const LISTED_ENROLLMENT = z
  .object({
    id: id().meta({ description: 'The id of the token.', example: EXAMPLE_IDS.enrollment }),
    maxUses: z.int().meta({ description: 'How many computers can be enrolled with it.', example: 10 }),
    uses: z.int().meta({ description: 'How many computers were enrolled with it.', example: 3 }),
    expiresAt: timestamp().meta({ description: 'Until when it can be used.', example: '2026-03-02T09:45:00.000Z' }),
    createdAt: timestamp().meta({ description: 'When it was created.', example: '2026-03-02T09:30:00.000Z' }),
  })
  .meta({ id: 'ListedEnrollment', description: 'An enrolment token, without the token itself.' })

export const listEnrollments = operation({
  operationId: 'listEnrollments',
  method: 'get',
  path: '/v1/enrollments',
  scope: 'admin',
  tag: 'Computers',
  summary: 'List enrolment tokens',
  description:
    'The enrolment tokens of the organization, also expired and used-up ones, the newest first unless `dir` says otherwise. A token itself is only in the answer that created it. Test mode has none.',
  query: PAGE_QUERY,
  answer: {
    status: 200,
    description: 'A page of enrolment tokens.',
    schema: pageOf(LISTED_ENROLLMENT, 'EnrollmentPage', 'enrolment tokens'),
  },
  handle:
    ({ devices }) =>
    async ({ tenant, query }) => {
      const { enrollments, end } = await devices.listEnrollments({ ...tenant, page: query.page })
      const data = enrollments.map(({ id, maxUses, uses, expiresAt, createdAt }) => ({
        ...{ id, maxUses, uses },
        expiresAt: timestampToJson(expiresAt),
        createdAt: timestampToJson(createdAt),
      }))
      return { data, end }
    },
})
