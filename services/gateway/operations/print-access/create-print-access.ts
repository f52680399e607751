import { EXAMPLE_IDS } from '@platen/resources/example-of.ts'
import { PRINT_ACCESS_LIMITS } from '@platen/resources/limits.ts'
import { shortText } from '@platen/resources/text.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { z } from 'zod'
import { ROLES } from '../../caller.ts'
import { getCaller, getTenant, type RequestContext } from '../../context.ts'
import type { Gateway } from '../../gateway.ts'
import { operation } from '../../operation/operation.ts'
import { jsonBody } from '../../request/json-body-schema.ts'
import { required } from '../../required.ts'
import { PRINT_ACCESS, printAccessToJson } from './list-print-access.ts'
import { getOwnUser } from './own-user.ts'

const { printersMax } = PRINT_ACCESS_LIMITS
const NAME_LENGTH_MAX = 255

const uuid = () => z.guid('must be a UUID').toLowerCase()

const NEW_PRINT_ACCESS = jsonBody({
  name: shortText(NAME_LENGTH_MAX)
    .refine((name) => name.trim() !== '', 'must not consist of white space')
    .meta({ description: 'The name for people.', example: "Anna's laptop" }),
  printerIds: z
    .array(uuid(), 'must be an array')
    .min(1, 'must have at least one entry')
    .max(printersMax, `must have at most ${printersMax} entries`)
    .nullish()
    .meta({ description: 'The ids of the printers. Omitted: all shared printers.', example: [EXAMPLE_IDS.printer] }),
  userId: uuid().nullish().meta({
    description:
      'The id of the member who prints with it. Omitted: none; the user of the session if that is a `member`.',
    example: EXAMPLE_IDS.event,
  }),
}).meta({ id: 'PrintAccessRequest', description: 'A new print access.' })

const CREATED_PRINT_ACCESS = PRINT_ACCESS.extend({
  secret: z.string().meta({
    description:
      'The secret, which is shown only once. It is a password, or the last part of the address of a printer.',
    example: 'k4xq2mzr7tbn5wyd3hfa6gcpq7xm'.slice(0, 26),
  }),
}).meta({ id: 'CreatedPrintAccessKey', description: 'A print access with its secret.' })

export const createPrintAccess = operation({
  operationId: 'createPrintAccess',
  method: 'post',
  path: '/v1/print-access',
  scope: 'admin',
  roles: ROLES,
  needsRecentSignIn: () => true,
  isAudited: 'always',
  tag: 'Print access',
  summary: 'Create a print access',
  description:
    'Creates a secret with which a computer prints on shared printers of the mode, and does nothing else. A member creates only their own. Only this answer contains the secret.',
  body: NEW_PRINT_ACCESS,
  errors: ['limit_reached', 'not_found'],
  answer: { status: 201, description: 'The print access, with its secret.', schema: CREATED_PRINT_ACCESS },
  handle:
    (gateway) =>
    async ({ ctx, tenant, body: { name, printerIds, userId } }) => {
      await requirePrinters(gateway, ctx, printerIds ?? [])
      const { credential } = getCaller(ctx)
      const own = getOwnUser(ctx)
      if (own !== undefined && (userId ?? own) !== own)
        throw new ApiError('forbidden', 'A member creates only their own print accesses. Ask an owner or an admin.', {
          param: 'userId',
        })
      const { apiKey, secret } = await gateway.accounts.createPrintAccess({
        ...tenant,
        name,
        printerIds: printerIds ?? [],
        userId: userId ?? own ?? '',
        createdBy: credential.kind === 'session' ? credential.user.id : undefined,
      })
      return { ...printAccessToJson(ctx, required(apiKey)), secret }
    },
})

/** @throws ApiError `not_found` for a printer that the mode of the organization does not have. */
async function requirePrinters({ devices }: Gateway, ctx: RequestContext, printerIds: string[]): Promise<void> {
  if (printerIds.length === 0) return
  const tenant = getTenant(ctx)
  const { printers } = await devices.listNumberedPrinters({ ...tenant, printerIds, limit: printersMax })
  const unknown = printerIds.find((one) => !printers.some(({ id }) => id === one))
  if (unknown !== undefined)
    throw new ApiError('not_found', `There is no printer with the id ${unknown} in ${tenant.mode} mode.`, {
      param: 'printerIds',
    })
}
