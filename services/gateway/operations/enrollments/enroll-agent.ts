import { COMPUTER } from '@platen/resources/computer-schema.ts'
import { createExample, EXAMPLE_IDS } from '@platen/resources/example-of.ts'
import { id } from '@platen/resources/fields.ts'
import { ENROLLMENT_LIMITS, IDEMPOTENCY_KEY_LENGTH_MAX } from '@platen/resources/limits.ts'
import { shortText, text } from '@platen/resources/text.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { z } from 'zod'
import type { RequestContext } from '../../context.ts'
import type { Gateway } from '../../gateway.ts'
import { idempotencyKey } from '../../idempotency/idempotency-key.ts'
import { operation } from '../../operation/operation.ts'
import { jsonBody } from '../../request/json-body-schema.ts'
import { required } from '../../required.ts'

const filled = shortText(255)
const upTo255 = shortText(255, 0)

const { name, hostname, os, osVersion, arch, agentVersion } = createExample(COMPUTER)

const AGENT_ENROLLMENT = jsonBody({
  name: filled
    .optional()
    .meta({ description: 'The name of the computer. The default is its `hostname`.', example: name }),
  hostname: filled.meta({ description: 'The host name of the computer.', example: hostname }),
  os: filled.meta({ description: 'The operating system: `linux`, `macos` or `windows`.', example: os }),
  osVersion: upTo255.meta({ description: 'The version of the operating system.', example: osVersion }),
  arch: upTo255.meta({ description: 'The processor architecture, such as `x64` or `arm64`.', example: arch }),
  agentVersion: filled.meta({ description: 'The version of the agent.', example: agentVersion }),
  previousCredential: text()
    .regex(/^platen_agent_[A-Za-z0-9_-]{43}([A-Za-z0-9_-]{6})?$/, 'must be `platen_agent_` and 43 or 49 characters')
    .optional()
    .meta({
      description:
        'The credential of an earlier enrolment from the same data directory. The computer keeps its id, and this credential stops working.',
    }),
}).meta({ id: 'AgentEnrollment', description: 'The computer of the agent.' })

const HEADERS = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(IDEMPOTENCY_KEY_LENGTH_MAX)
    .optional()
    .meta({
      description: `A random secret of this enrolment. A repetition with the same token and key within ${ENROLLMENT_LIMITS.repeatSeconds} s of the first request gets the same computer with a new credential, and does not use the token again.`,
      example: 'kQ7vRg4mGzJr0aXc7yPq2tLw9bEuV5sKd8hNf34mGzJ',
    }),
})

const ENROLLED_AGENT = z
  .object({
    computerId: id().meta({
      description: 'The id of the computer, unchanged if `previousCredential` was valid.',
      example: EXAMPLE_IDS.computer,
    }),
    credential: z.string().meta({
      description: 'The credential of the agent. It is shown only once.',
      example: 'platen_agent_7sKd8hNf34mGzJr0aXc7yPq2tLw9bEuV5sKd8hNf3aQkQ7vRg',
    }),
    agentUrl: z
      .string()
      .meta({ description: 'The address to which the agent connects.', example: 'https://agents.print.example' }),
  })
  .meta({ id: 'EnrolledAgent', description: 'An enrolled computer.' })

export const enrollAgent = operation({
  operationId: 'enrollAgent',
  method: 'post',
  path: '/v1/agents/enroll',
  scope: null,
  credential: 'enrollmentToken',
  tag: 'Computers',
  summary: 'Enrol a computer',
  description:
    'Called by `platen-agent enroll`. Exchanges an enrolment token for a credential that is bound to one computer. Without an `Idempotency-Key`, do not repeat the request automatically if no response arrived, because it may have spent a use of the token.',
  headers: HEADERS,
  body: AGENT_ENROLLMENT,
  errors: ['quota_exceeded'],
  answer: { status: 201, description: 'The computer is enrolled.', schema: ENROLLED_AGENT },
  handle:
    ({ devices, usage, agents }) =>
    async ({ ctx, body: { previousCredential, ...computer } }) => {
      const { token, organizationId } = required(ctx.state.enrollment)
      const agentUrl = agents.url ?? toAgentUrl(ctx, agents)
      const { computersLimit } = required((await usage.getPlan({ organizationId })).plan)
      const { computerId, credential } = await devices.enroll({
        ...{ token, organizationId, computersLimit, credential: previousCredential, ...computer },
        idempotencyKey: idempotencyKey(ctx.req),
      })
      return { computerId, credential, agentUrl }
    },
})

/**
 * @returns the agents' port of the host that the agent used for the enrolment.
 * @throws ApiError `service_unavailable` if the agent enrols by TLS and this port has none. The token is not spent.
 */
function toAgentUrl(ctx: RequestContext, { port, isSecure }: Gateway['agents']): string {
  if (!isSecure && /^https\b/i.test(ctx.get('X-Forwarded-Proto')))
    throw new ApiError(
      'service_unavailable',
      "The address of the agents' port is not known, because this service is behind a proxy. Ask its operator to set PLATEN_AGENT_PUBLIC_URL.",
    )
  return `${isSecure ? 'https' : 'http'}://${ctx.hostname || 'localhost'}:${port}`
}
