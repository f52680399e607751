import { ApiError } from '@platen/runtime/errors.ts'
import { z } from 'zod'
import { MANAGERS } from '../caller.ts'
import { operation } from '../operation/operation.ts'
import { runCommand } from './run-command.ts'

export const NETWORK_PRINTER = z
  .object({
    /** The `osName` of the printer. */
    osName: z.string(),
    uri: z.string(),
  })
  .meta({ id: 'NetworkPrinter' })

const NETWORK_PRINTERS = z.object({
  /** Null if the agent is offline or does not know the command. */
  data: z.array(NETWORK_PRINTER).nullable(),
  /**
   * Sentences of the agent: why the computer finds and adds no printers, and what to do. Null if it does, or is not
   * known.
   */
  refusal: z.string().nullable(),
  /** The `osName` of printers that can be asked for their language. */
  askable: z.array(z.string()),
  /** Raw queues of the operating system for printers that the agent could open by their address. */
  queues: z.array(
    z.object({
      osName: z.string(),
      /** Null if the agent adds no printers. */
      uri: z.string().nullable(),
    }),
  ),
})

export const listNetworkPrinters = operation({
  operationId: 'listNetworkPrinters',
  method: 'get',
  path: '/account/computers/{id}/network-printers',
  ids: { id: 'computer' },
  scope: null,
  credential: 'session',
  tenant: 'mode',
  roles: MANAGERS,
  tag: 'Account',
  summary: 'List added network printers',
  description: 'The network printers that users have added to the computer, in the order of their addition.',
  answer: { status: 200, description: 'The printers.', schema: NETWORK_PRINTERS },
  handle:
    (gateway) =>
    async ({ tenant, ids }) => {
      try {
        const computer = { ...tenant, computerId: ids.id }
        const { printers, refusal, askable, queues } = await runCommand(gateway, computer, 'listAddedPrinters', {})
        return {
          data: printers.map(({ osName, uri }) => ({ osName, uri })),
          refusal: refusal || null,
          askable,
          queues: queues.map(({ osName, uri }) => ({ osName, uri: uri || null })),
        }
      } catch (error) {
        if (error instanceof ApiError && error.code === 'command_failed')
          return { data: null, refusal: null, askable: [], queues: [] }
        throw error
      }
    },
})
