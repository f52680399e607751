import { COMPUTER_PAGE, computerToJson } from '@platen/resources/computer-schema.ts'
import { operation } from '../../operation/operation.ts'
import { number, PAGE_QUERY } from '../../request/page.ts'

export const listComputers = operation({
  operationId: 'listComputers',
  method: 'get',
  path: '/v1/computers',
  scope: 'read',
  tag: 'Computers',
  summary: 'List computers',
  description:
    'Lists the computers of the organization and mode of the key, the newest first by default. A test key gets the virtual test computer.',
  query: PAGE_QUERY.extend({ number: number('Only the computer with this number.') }),
  answer: { status: 200, description: 'A page of computers.', schema: COMPUTER_PAGE },
  handle:
    ({ devices }) =>
    async ({ tenant, query }) => {
      const { computers, end } = await devices.listComputers({ ...tenant, ...query.filters, page: query.page })
      return { data: computers.map(computerToJson), end }
    },
})
