/** Reference: docs/reference/computers.md#the-computer-object. */
import { z } from 'zod'
import { EXAMPLE_IDS } from './example-of.ts'
import { id, mode, timestamp } from './fields.ts'
import { createPageSchema } from './page-schema.ts'

const fact = (description: string, example: string) => z.string().meta({ description, example })

export const COMPUTER = z
  .object({
    id: id().meta({ description: 'The id of the computer.', example: EXAMPLE_IDS.computer }),
    name: fact('What the computer is called.', 'Back office'),
    hostname: fact('Its name in the network.', 'office-pc-1'),
    os: fact('Its operating system.', 'linux'),
    osVersion: fact('The version of the operating system.', '12'),
    arch: fact('The architecture of its processor.', 'x64'),
    agentVersion: fact('The version of the agent that runs on it.', '1.0.0'),
    state: z.enum(['online', 'offline']).meta({
      description:
        '`online` while its agent is connected. A connection that drops and is back within 30 seconds changes nothing.',
      example: 'online',
    }),
    mode: mode('Test mode has one virtual computer and nothing else.'),
    lastSeenAt: timestamp().nullable().meta({
      description: 'When the agent last sent a message or heartbeat. Null before its first connection.',
      example: '2026-03-02T09:29:51.004Z',
    }),
    createdAt: timestamp().meta({
      description: 'When the computer was enrolled.',
      example: '2026-02-27T07:59:12.480Z',
    }),
  })
  .meta({ id: 'Computer', description: 'A computer that runs the agent and has printers.' })

export const COMPUTER_PAGE = createPageSchema(COMPUTER, 'ComputerPage', 'computers')

export type ComputerJson = z.infer<typeof COMPUTER>
