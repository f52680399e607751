import { z } from 'zod'
import { MANAGERS } from '../caller.ts'
import { operation } from '../operation.ts'
import { runCommand } from './run-command.ts'

export const NETWORK_PRINTER = z
  .object({
    /** The `osName` of the printer. */
    osName: z.string(),
    uri: z.string(),
  })
  .meta({ id: 'NetworkPrinter' })

const NETWORK_PRINTERS = z.object({ data: z.array(NETWORK_PRINTER) })

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
  errors: ['command_failed'],
  answer: { status: 200, description: 'The printers.', schema: NETWORK_PRINTERS },
  handle:
    (gateway) =>
    async ({ tenant, ids }) => {
      const { printers } = await runCommand(gateway, { ...tenant, computerId: ids.id }, 'listAddedPrinters', {})
      return { data: printers.map(({ osName, uri }) => ({ osName, uri })) }
    },
})
