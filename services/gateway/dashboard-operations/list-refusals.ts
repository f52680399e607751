import type { Refusal } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { id, timestamp } from '@platen/resources/fields.ts'
import { createPageSchema } from '@platen/resources/page-schema.ts'
import { createToJson, emptyAsNull } from '@platen/resources/to-json.ts'
import { z } from 'zod'
import { MANAGERS } from '../caller.ts'
import { operation } from '../operation/operation.ts'
import { PAGE_QUERY } from '../request/page.ts'

const REFUSAL = z
  .object({
    id: id(),
    at: timestamp(),
    apiKeyId: id(),
    method: z.string(),
    /** The template of the path. Null if the request reached no operation. */
    route: z.string().nullable(),
    status: z.int(),
    /** The code of the error envelope. */
    code: z.string(),
    message: z.string(),
    requestId: z.string(),
  })
  .meta({ id: 'Refusal' })

const REFUSALS = createPageSchema(REFUSAL, 'RefusalPage', 'requests')

export const listRefusals = operation({
  operationId: 'listRefusals',
  method: 'get',
  path: '/account/requests',
  scope: null,
  credential: 'session',
  tenant: 'mode',
  roles: MANAGERS,
  tag: 'Account',
  summary: 'List refused requests',
  description:
    'The requests of API keys and print accesses in the last 24 hours that were answered with an error, the newest first.',
  query: PAGE_QUERY.extend({
    apiKeyId: z.guid('must be the id of an API key').toLowerCase().optional(),
  }),
  answer: { status: 200, description: 'A page of requests.', schema: REFUSALS },
  handle:
    ({ accounts }) =>
    async ({ tenant, query: { page, filters } }) => {
      const { refusals, end } = await accounts.listRefusals({ ...tenant, page, apiKeyId: filters.apiKeyId })
      return { data: refusals.map(refusalToJson), end }
    },
})

const refusalToJson = createToJson<Refusal, typeof REFUSAL>(REFUSAL, emptyAsNull('route'))
