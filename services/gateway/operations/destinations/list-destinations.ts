import { DESTINATION_PAGE } from '@platen/resources/destination-schema.ts'
import { operation } from '../../operation/operation.ts'
import { number, PAGE_QUERY } from '../../request/page.ts'
import { destinationsToJson } from './destination-fields.ts'

export const listDestinations = operation({
  operationId: 'listDestinations',
  method: 'get',
  path: '/v1/destinations',
  scope: 'read',
  tag: 'Destinations',
  summary: 'List destinations',
  description:
    'Lists the destinations of the organization and mode of the key, with what each of their printers does now, the newest first by default.',
  query: PAGE_QUERY.extend({ number: number('Only the destination with this number.') }),
  answer: { status: 200, description: 'A page of destinations.', schema: DESTINATION_PAGE },
  handle:
    (gateway) =>
    async ({ tenant, query }) => {
      const request = { ...tenant, ...query.filters, page: query.page }
      const { destinations, end } = await gateway.devices.listDestinations(request)
      return { data: await destinationsToJson(gateway, tenant, destinations), end }
    },
})
