import type { ListPrintersResponse } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { PRINTER_PAGE, printerToJson } from '@platen/resources/printer-schema.ts'
import { type FoundPage, operation } from '../../operation/operation.ts'
import { number, PAGE_QUERY } from '../../request/page.ts'

export const listPrinters = operation({
  operationId: 'listPrinters',
  method: 'get',
  path: '/v1/printers',
  scope: 'read',
  tag: 'Printers',
  summary: 'List printers',
  description:
    'Lists the printers of the organization and mode of the key, the newest first by default. A test key gets the four virtual printers of test mode.',
  query: PAGE_QUERY.extend({ number: number('Only the printer with this number.') }),
  answer: { status: 200, description: 'A page of printers.', schema: PRINTER_PAGE },
  handle:
    ({ devices }) =>
    async ({ tenant, query }) => {
      return toPrinterPage(await devices.listPrinters({ ...tenant, ...query.filters, page: query.page, asJson: true }))
    },
})

/** The previous release does not know `asJson`. */
export const toPrinterPage = ({ json, printers, end }: ListPrintersResponse): FoundPage => ({
  json: [...json, ...printers.map((printer) => JSON.stringify(printerToJson(printer)))],
  end,
})
