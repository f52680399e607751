/** The fields of `POST /v1/enrollments`. Reference: docs/reference/agents.md#enrolment-tokens. */
import { z } from 'zod'
import { integer } from './integer.ts'

export const NEW_ENROLLMENT = z.strictObject(
  {
    maxUses: integer(1, 1000).default(1),
    expiresInSeconds: integer(60, 604_800).default(900),
  },
  { error: (issue) => (issue.code === 'invalid_type' ? 'The body must be a JSON object' : undefined) },
)
