import { PRINTER_PAGE } from '@platen/resources/printer-schema.ts'
import { printerToJson } from '@platen/resources/printer-to-json.ts'
import { operation } from '../../operation.ts'
import { PAGE_QUERY } from '../../request/page.ts'

export const listComputerPrinters = operation({
  operationId: 'listComputerPrinters',
  method: 'get',
  path: '/v1/computers/{id}/printers',
  ids: { id: 'computer' },
  scope: 'read',
  tag: 'Computers',
  summary: 'List the printers of a computer',
  description: 'Lists the printers of this computer, the newest first by default.',
  query: PAGE_QUERY,
  answer: { status: 200, description: 'A page of printers.', schema: PRINTER_PAGE },
  handle:
    ({ devices }) =>
    async ({ tenant, ids, query }) => {
      const { json, printers, end } = await devices.listPrinters({
        ...tenant,
        computerId: ids.id,
        page: query.page,
        asJson: true,
      })
      // The previous release does not know `asJson`.
      return { json: [...json, ...printers.map((printer) => JSON.stringify(printerToJson(printer)))], end }
    },
})
