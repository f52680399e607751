import { ROLES } from '../../caller.ts'
import { operation } from '../../operation/operation.ts'
import { required } from '../../required.ts'
import { PRINT_ACCESS, printAccessToJson } from './list-print-access.ts'
import { getOwnUser } from './own-user.ts'

export const revokePrintAccess = operation({
  operationId: 'revokePrintAccess',
  method: 'delete',
  path: '/v1/print-access/{id}',
  ids: { id: 'print access' },
  scope: 'admin',
  roles: ROLES,
  isAudited: 'always',
  tag: 'Print access',
  summary: 'Revoke a print access',
  description:
    'Ends a print access permanently, within 5 s. Its jobs stay. A member revokes only their own. A repeated request changes nothing.',
  answer: { status: 200, description: 'The revoked print access.', schema: PRINT_ACCESS },
  handle:
    ({ accounts }) =>
    async ({ ctx, tenant, ids }) => {
      const { apiKey } = await accounts.revokeApiKey({
        ...tenant,
        apiKeyId: ids.id,
        kind: 'print',
        userId: getOwnUser(ctx),
      })
      return printAccessToJson(ctx, required(apiKey))
    },
})
