import { PRINTER_PAGE } from '@platen/resources/printer-schema.ts'
import { printerToJson } from '@platen/resources/printer-to-json.ts'
import { operation } from '../../operation.ts'
import { PAGE_QUERY } from '../../request/page.ts'

export const listPrinters = operation({
  operationId: 'listPrinters',
  method: 'get',
  path: '/v1/printers',
  scope: 'read',
  tag: 'Printers',
  summary: 'List printers',
  description:
    'Lists the printers of the organization and mode of the key, the newest first by default. A test key gets the four virtual printers of test mode.',
  query: PAGE_QUERY,
  answer: { status: 200, description: 'A page of printers.', schema: PRINTER_PAGE },
  handle:
    ({ devices }) =>
    async ({ tenant, query }) => {
      const { json, printers, end } = await devices.listPrinters({ ...tenant, page: query.page, asJson: true })
      // The previous release does not know `asJson`.
      return { json: [...json, ...printers.map((printer) => JSON.stringify(printerToJson(printer)))], end }
    },
})
