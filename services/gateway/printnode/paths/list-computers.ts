import { LARGE } from '../../operation/operation.ts'
import { parseSet, readPage } from '../numbers.ts'
import type { Route } from '../route.ts'
import { computerToPrintNode } from '../to-json.ts'

export const listComputers: Route = {
  method: 'GET',
  paths: ['computers', 'computers/{}'],
  scope: 'read',
  units: LARGE,
  handle:
    ({ devices }) =>
    async ({ ctx, tenant, parts: [set] }) => {
      const numbers = set === undefined ? [] : parseSet(set)
      const { computers } = await devices.listNumberedComputers({ ...tenant, numbers, ...readPage(ctx.query) })
      return computers.map(computerToPrintNode)
    },
}
