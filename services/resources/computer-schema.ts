/** Reference: docs/reference/computers.md#the-computer-object. */
import type { Computer } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { z } from 'zod'
import { EXAMPLE_IDS } from './example-of.ts'
import { id, mode, number, timestamp } from './fields.ts'
import { createPageSchema } from './page-schema.ts'
import { createToJson } from './to-json.ts'

const fact = (description: string, example: string) => z.string().meta({ description, example })

export const COMPUTER = z
  .object({
    id: id().meta({ description: 'The id of the computer.', example: EXAMPLE_IDS.computer }),
    number: number(7),
    name: fact('The name of the computer.', 'Back office'),
    hostname: fact('The host name of the computer.', 'office-pc-1'),
    os: fact('The operating system: `linux`, `macos` or `windows`.', 'linux'),
    osVersion: fact('The version of the operating system.', '12'),
    arch: fact('The processor architecture, such as `x64` or `arm64`.', 'x64'),
    agentVersion: fact('The version of the agent.', '1.0.0'),
    agentUpdate: z
      .object({
        automatic: z
          .boolean()
          .meta({ description: 'True if the agent installs offered versions without a command.', example: false }),
        failedVersion: z
          .string()
          .nullable()
          .meta({ description: 'The version that could not be installed. Null without a failure.', example: null }),
        failure: z.string().nullable().meta({
          description: 'The reason why the newest update has failed, a sentence. Null after a success.',
          example: null,
        }),
      })
      .meta({ id: 'AgentUpdate', description: 'The updates of an agent by itself.' })
      .nullable()
      .meta({ description: 'The updates of the agent. Null if it does not update itself.' }),
    spoolerProblem: z
      .object({
        code: z.string().meta({
          description:
            'The kind of problem: `not-installed`, `not-running`, `no-permission` or `not-responding`. Later versions can have others.',
          example: 'not-installed',
        }),
        message: z.string().meta({
          description: 'The problem and what to do, a sentence for people.',
          example:
            'CUPS is not installed on office-pc-1: `sudo apt install cups`, or add a network printer, which needs no CUPS.',
        }),
      })
      .meta({
        id: 'SpoolerProblem',
        description: 'The reason why an agent cannot list the printers of the operating system.',
      })
      .nullable()
      .meta({
        description: 'The reason why the agent cannot list the printers of the operating system. Null if it can.',
        example: null,
      }),
    state: z.enum(['online', 'offline']).meta({
      description:
        '`online` while the agent is connected. A connection that is lost for less than 30 seconds does not change it.',
      example: 'online',
    }),
    pausedAt: timestamp().nullable().meta({
      description:
        'The time since which new jobs wait, because a user has paused the computer. Null if it is not paused.',
      example: null,
    }),
    unauthorizedAt: timestamp().nullable().meta({
      description:
        'The time since which the service refuses the agent of the `offline` computer, because its credential was replaced. Enrol the computer again. Null if it is not refused.',
      example: null,
    }),
    mode: mode('The mode of the computer. Test mode has one virtual computer only.'),
    lastSeenAt: timestamp().nullable().meta({
      description: 'The time of the last message or heartbeat of the agent. Null before its first connection.',
      example: '2026-03-02T09:29:51.004Z',
    }),
    createdAt: timestamp().meta({
      description: 'The time of the enrolment.',
      example: '2026-02-27T07:59:12.480Z',
    }),
  })
  .meta({ id: 'Computer', description: 'A computer that runs the agent and has printers.' })

export const COMPUTER_PAGE = createPageSchema(COMPUTER, 'ComputerPage', 'computers')

export type ComputerJson = z.infer<typeof COMPUTER>

export const computerToJson = createToJson<Computer, typeof COMPUTER>(COMPUTER, {})
