import { type System, WAYS, type Way } from '@platen/resources/agent-commands.ts'
import { EXAMPLE_IDS } from '@platen/resources/example-of.ts'
import { id, integer, timestamp } from '@platen/resources/fields.ts'
import { ENROLLMENT_LIMITS } from '@platen/resources/limits.ts'
import { timestampToJson } from '@platen/resources/timestamp-to-json.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { z } from 'zod'
import type { Gateway } from '../../gateway.ts'
import { operation } from '../../operation/operation.ts'
import { jsonBody } from '../../request/json-body-schema.ts'
import { getOwnOrigin } from '../../request/own-origin.ts'

const { uses, expiresInSeconds } = ENROLLMENT_LIMITS

const NEW_ENROLLMENT = jsonBody({
  maxUses: integer(uses)
    .default(uses.default)
    .meta({ description: 'The number of computers that can be enrolled with the token.', example: uses.default }),
  expiresInSeconds: integer(expiresInSeconds)
    .default(expiresInSeconds.default)
    .meta({ description: 'The number of seconds for which the token can be used.', example: expiresInSeconds.default }),
}).meta({ id: 'EnrollmentRequest', description: 'The limits of the token. An empty object uses the defaults.' })

export const ENROLLMENT = z.object({
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

const COMMANDS: Record<string, System> = {
  linux: 'Linux',
  macos: 'macOS',
  windows: 'Windows',
  docker: 'Docker',
  thisComputer: 'This computer',
}

const command = (where: string, example: string | null = null) =>
  z
    .string()
    .nullable()
    .meta({ description: `The command ${where}`, example })

const CREATED_ENROLLMENT = ENROLLMENT.extend({
  commands: z
    .object({
      linux: command(
        'for a terminal of Linux. It downloads and installs the agent, and asks for the token.',
        'curl -fsSL https://print.example.com/agents/install.sh | sudo sh -s -- --server https://print.example.com --allow-network-printers',
      ),
      macos: command(
        'for a terminal of macOS. It asks for the token.',
        'curl -fsSL https://print.example.com/agents/install.sh | sudo sh -s -- --server https://print.example.com --allow-network-printers',
      ),
      windows: command(
        'for PowerShell, started as administrator. It asks for the token.',
        '& ([scriptblock]::Create((irm https://print.example.com/agents/install.ps1))) -Server https://print.example.com -AllowNetworkPrinters',
      ),
      docker: command('for a server with Docker. It contains the token. Replace the address of CUPS.'),
      thisComputer: command(
        'for the computer of the service, in the clone of Platen, while `npm start` runs. It contains the token. Null for other installations.',
      ),
    })
    .meta({
      id: 'EnrollmentCommands',
      description:
        'The command that installs and enrols an agent, by system, as the dashboard shows it. Null: the installation offers no package for it, see `GET /agents/`.',
    }),
}).meta({ id: 'Enrollment', description: 'A token for the enrolment of computers by their agents.' })

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
  answer: { status: 201, description: 'The token, which is shown only once.', schema: CREATED_ENROLLMENT },
  errors: ['mode_mismatch'],
  handle:
    (gateway) =>
    async ({ ctx, tenant: { organizationId, mode }, body }) => {
      if (mode === 'test')
        throw new ApiError(
          'mode_mismatch',
          'Test mode has only its virtual computer. Create enrolment tokens with a live key.',
        )
      const server = getOwnOrigin(ctx, gateway.publicUrl)
      const { id, token, expiresAt, maxUses } = await gateway.devices.createEnrollment({ organizationId, ...body })
      const commands = await toCommands(gateway, server, token)
      return { id, token, expiresAt: timestampToJson(expiresAt), maxUses, commands }
    },
})

async function toCommands({ agentPackages, installation }: Gateway, server: string, token: string) {
  const list = await agentPackages?.read()
  const values = { server, token, version: list?.version ?? 'VERSION', allowsNetworkPrinters: true }
  const toCommand = (system: System) => {
    const { platform, command }: Way = WAYS[system]
    const isOffered = platform === undefined || list?.packages.some((one) => one.platform === platform)
    return isOffered && (system !== 'This computer' || installation === 'npm-start') ? command(values) : null
  }
  return Object.fromEntries(Object.entries(COMMANDS).map(([name, system]) => [name, toCommand(system)]))
}
