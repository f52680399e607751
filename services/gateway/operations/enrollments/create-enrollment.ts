import { EXAMPLE_IDS } from '@platen/resources/example-of.ts'
import { id, integer, timestamp } from '@platen/resources/fields.ts'
import { ENROLLMENT_LIMITS } from '@platen/resources/limits.ts'
import { timestampToJson } from '@platen/resources/timestamp-to-json.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { z } from 'zod'
import { operation } from '../../operation/operation.ts'
import { jsonBody } from '../../request/json-body-schema.ts'

const { uses, expiresInSeconds } = ENROLLMENT_LIMITS

const NEW_ENROLLMENT = jsonBody({
  maxUses: integer(uses)
    .default(uses.default)
    .meta({ description: 'The number of computers that can be enrolled with the token.', example: uses.default }),
  expiresInSeconds: integer(expiresInSeconds)
    .default(expiresInSeconds.default)
    .meta({ description: 'The number of seconds for which the token can be used.', example: expiresInSeconds.default }),
}).meta({ id: 'EnrollmentRequest', description: 'The limits of the token. An empty object uses the defaults.' })

export const ENROLLMENT = z
  .object({
    id: id().meta({ description: 'The id of the token.', example: EXAMPLE_IDS.enrollment }),
    token: z.string().meta({
      description: 'The token for the agent. It is shown only once.',
      example: 'platen_enroll_4mGzJr0aXc7yPq2tLw9bEuV5sKd8hNf3',
    }),
    expiresAt: timestamp().meta({
      description: 'The time at which the token expires.',
      example: '2026-03-02T09:45:00.000Z',
    }),
    maxUses: z.int().meta({ description: 'The number of computers that can be enrolled with the token.', example: 1 }),
  })
  .meta({ id: 'Enrollment', description: 'A token for the enrolment of computers by their agents.' })

export const createEnrollment = operation({
  operationId: 'createEnrollment',
  method: 'post',
  path: '/v1/enrollments',
  scope: 'admin',
  needsRecentSignIn: () => true,
  tag: 'Computers',
  summary: 'Create an enrolment token',
  description:
    'Creates a token that agents exchange for a credential, which is bound to one computer. A second enrolment from the same data directory keeps the id of the computer. Requires a live key, because test mode has only its virtual computer.',
  body: NEW_ENROLLMENT,
  bodyIsOptional: true,
  answer: { status: 201, description: 'The token, which is shown only once.', schema: ENROLLMENT },
  errors: ['mode_mismatch'],
  handle:
    ({ devices }) =>
    async ({ tenant: { organizationId, mode }, body }) => {
      if (mode === 'test')
        throw new ApiError(
          'mode_mismatch',
          'Test mode has only its virtual computer. Create enrolment tokens with a live key.',
        )
      const { id, token, expiresAt, maxUses } = await devices.createEnrollment({ organizationId, ...body })
      return { id, token, expiresAt: timestampToJson(expiresAt), maxUses }
    },
})
