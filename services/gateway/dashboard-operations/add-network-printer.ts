import { RAW_LANGUAGES } from '@platen/proto/raw-languages.ts'
import { z } from 'zod'
import { MANAGERS } from '../caller.ts'
import { operation } from '../operation/operation.ts'
import { jsonBody } from '../request/json-body-schema.ts'
import { NETWORK_PRINTER } from './list-network-printers.ts'
import { runCommand } from './run-command.ts'

/** The agent checks the values. */
const NEW_PRINTER = jsonBody({
  name: z.string().min(1).max(127).meta({ example: 'Packing table' }),
  uri: z.string().min(1).max(1_024).meta({ example: 'socket://192.168.0.9:9100' }),
  /** The language of a `socket:` printer, and how the agent draws PDFs in it. */
  rasterize: jsonBody({
    rawLanguage: z.enum(RAW_LANGUAGES),
    dpi: z.int().min(1).max(10_000).optional(),
    width: z.int().min(1).max(10_000).optional(),
  }).optional(),
})

export const addNetworkPrinter = operation({
  operationId: 'addNetworkPrinter',
  method: 'post',
  path: '/account/computers/{id}/network-printers',
  ids: { id: 'computer' },
  scope: null,
  credential: 'session',
  tenant: 'mode',
  roles: MANAGERS,
  // The agent opens the address in the network of its owner, now and later.
  needsRecentSignIn: () => true,
  tag: 'Account',
  summary: 'Add a network printer',
  description: 'The agent adds the printer if it answers. The printer is in the lists when the agent has reported it.',
  body: NEW_PRINTER,
  errors: ['command_failed'],
  answer: { status: 201, description: 'The added printer.', schema: NETWORK_PRINTER },
  handle:
    (gateway) =>
    async ({ tenant, ids, body: { name, uri, rasterize: raster } }) => {
      const computer = { ...tenant, computerId: ids.id }
      const added = await runCommand(gateway, computer, 'addPrinter', { name, uri, raster })
      return { osName: added.osName, uri: added.uri }
    },
})
