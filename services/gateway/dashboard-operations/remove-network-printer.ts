import { z } from 'zod'
import { MANAGERS } from '../caller.ts'
import { operation } from '../operation/operation.ts'
import { jsonBody } from '../request/json-body-schema.ts'
import { runCommand } from './run-command.ts'

const PRINTER = jsonBody({ osName: z.string().min(1).max(127).meta({ example: 'Packing table' }) })

export const removeNetworkPrinter = operation({
  operationId: 'removeNetworkPrinter',
  method: 'post',
  path: '/account/computers/{id}/network-printers/remove',
  ids: { id: 'computer' },
  scope: null,
  credential: 'session',
  tenant: 'mode',
  roles: MANAGERS,
  needsRecentSignIn: () => true,
  tag: 'Account',
  summary: 'Remove a network printer',
  description: 'Removes a printer that was added from the dashboard. Its jobs that were not sent end in `error`.',
  body: PRINTER,
  errors: ['command_failed'],
  answer: { status: 204, description: 'The printer is removed.' },
  handle:
    (gateway) =>
    async ({ tenant, ids, body }) => {
      await runCommand(gateway, { ...tenant, computerId: ids.id }, 'removePrinter', body)
    },
})
