/** The fields of `POST /v1/agents/enroll`. Reference: docs/reference/agents.md#enrolment. */
import { z } from 'zod'

const text = z.string({ error: 'must be a text' })
const upTo255 = text.max(255, 'must have at most 255 characters').refine((value) => !value.includes('\0'), {
  error: 'must not contain the character U+0000',
})
const filled = upTo255.min(1, 'must not be empty')

export const AGENT_ENROLLMENT = z.strictObject(
  {
    name: filled.optional(),
    hostname: filled,
    os: filled,
    osVersion: upTo255,
    arch: upTo255,
    agentVersion: filled,
    previousCredential: text
      .regex(/^platen_agent_[A-Za-z0-9_-]{43}$/, 'must be `platen_agent_` and 43 characters')
      .optional(),
  },
  { error: (issue) => (issue.code === 'invalid_type' ? 'The body must be a JSON object' : undefined) },
)
