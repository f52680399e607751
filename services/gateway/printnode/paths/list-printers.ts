import { LARGE } from '../../operation/operation.ts'
import { parseSet, readPage } from '../numbers.ts'
import type { Route } from '../route.ts'
import { type JsonText, printersToPrintNode, toJsonArray } from '../to-json.ts'

/** An empty set of computers, as in `/computers//printers/33`, is all of them. */
export const listPrinters: Route = {
  method: 'GET',
  paths: ['printers', 'printers/{}', 'computers/printers', 'computers/printers/{}'],
  scope: 'read',
  units: LARGE,
  handle:
    (gateway) =>
    ({ ctx, tenant, parts: [set] }) =>
      readPrinters(gateway, { ...tenant, numbers: set === undefined ? [] : parseSet(set), ...readPage(ctx.query) }),
}

export const listComputerPrinters: Route = {
  method: 'GET',
  paths: ['computers/{}/printers', 'computers/{}/printers/{}'],
  scope: 'read',
  units: LARGE,
  handle:
    (gateway) =>
    ({ ctx, tenant, parts: [computers = '', set] }) =>
      readPrinters(gateway, {
        ...tenant,
        computerNumbers: parseSet(computers),
        numbers: set === undefined ? [] : parseSet(set),
        ...readPage(ctx.query),
      }),
}

type Devices = Parameters<Route['handle']>[0]['devices']

async function readPrinters(
  { devices }: { devices: Devices },
  request: Parameters<Devices['listNumberedPrinters']>[0],
): Promise<JsonText> {
  const found = await devices.listNumberedPrinters({ ...request, withCapabilities: true })
  return toJsonArray([...printersToPrintNode(found).values()])
}
