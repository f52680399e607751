import { PRINTER, printerToJson } from '@platen/resources/printer-schema.ts'
import { operation } from '../../operation/operation.ts'
import { required } from '../../required.ts'

export const getPrinter = operation({
  operationId: 'getPrinter',
  method: 'get',
  path: '/v1/printers/{id}',
  ids: { id: 'printer' },
  scope: 'read',
  tag: 'Printers',
  summary: 'Read a printer',
  description: 'Returns the printer with its state, capabilities and your settings.',
  answer: { status: 200, description: 'The printer.', schema: PRINTER },
  handle:
    ({ devices }) =>
    async ({ tenant, ids }) => {
      const { printer } = await devices.getPrinter({ ...tenant, printerId: ids.id })
      return printerToJson(required(printer))
    },
})
