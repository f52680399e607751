/** Reference: docs/reference/computers.md#the-computer-object. */
import { z } from 'zod'
import { id, mode, timestamp } from './fields.ts'

export const COMPUTER = z
  .object({
    id: id().describe('The id of the computer.'),
    name: z.string().describe('What the computer is called.'),
    hostname: z.string().describe('Its name in the network.'),
    os: z.string().describe('Its operating system.'),
    osVersion: z.string().describe('The version of the operating system.'),
    arch: z.string().describe('The architecture of its processor.'),
    agentVersion: z.string().describe('The version of the agent that runs on it.'),
    state: z
      .enum(['online', 'offline'])
      .describe(
        '`online` while its agent is connected. A connection that drops and is back within 30 seconds changes nothing.',
      ),
    mode: mode().describe('Test mode has one virtual computer and nothing else.'),
    lastSeenAt: timestamp().nullable().describe('When the agent was last heard of. Null before its first connection.'),
    createdAt: timestamp().describe('When the computer was enrolled.'),
  })
  .describe('A computer that runs the agent and has printers.')

export type ComputerJson = z.infer<typeof COMPUTER>
