import type { Enrollment } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { timestamp } from '@platen/resources/fields.ts'
import { createPageSchema } from '@platen/resources/page-schema.ts'
import { createToJson } from '@platen/resources/to-json.ts'
import { z } from 'zod'
import { operation } from '../../operation/operation.ts'
import { PAGE_QUERY } from '../../request/page.ts'
import { ENROLLMENT } from './create-enrollment.ts'

const LISTED_ENROLLMENT = ENROLLMENT.omit({ token: true })
  .extend({
    uses: z.int().meta({ description: 'The number of computers that were enrolled with the token.', example: 1 }),
    createdAt: timestamp().meta({ description: 'The time of its creation.', example: '2026-03-02T09:30:00.000Z' }),
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
    'Lists the enrolment tokens of the organization, also expired and used-up ones, the newest first by default. The token itself is only in the response that created it. Test mode has none.',
  query: PAGE_QUERY,
  answer: {
    status: 200,
    description: 'A page of enrolment tokens.',
    schema: createPageSchema(LISTED_ENROLLMENT, 'EnrollmentPage', 'enrolment tokens'),
  },
  handle:
    ({ devices }) =>
    async ({ tenant, query }) => {
      const { enrollments, end } = await devices.listEnrollments({ ...tenant, page: query.page })
      return { data: enrollments.map(enrollmentToJson), end }
    },
})

const enrollmentToJson = createToJson<Enrollment, typeof LISTED_ENROLLMENT>(LISTED_ENROLLMENT, {})
