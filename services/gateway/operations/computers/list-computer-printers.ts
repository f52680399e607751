import { PRINTER_PAGE } from '@platen/resources/printer-schema.ts'
import { operation } from '../../operation/operation.ts'
import { PAGE_QUERY } from '../../request/page.ts'
import { toPrinterPage } from '../printers/list-printers.ts'

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
      const list = { ...tenant, computerId: ids.id, page: query.page, asJson: true }
      return toPrinterPage(await devices.listPrinters(list))
    },
})
