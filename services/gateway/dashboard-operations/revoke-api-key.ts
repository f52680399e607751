import { MANAGERS } from '../caller.ts'
import { operation } from '../operation/operation.ts'
import { required } from '../required.ts'
import { API_KEY, apiKeyToJson } from './list-api-keys.ts'

export const revokeApiKey = operation({
  operationId: 'revokeApiKey',
  method: 'delete',
  path: '/account/keys/{id}',
  ids: { id: 'API key' },
  scope: null,
  credential: 'session',
  tenant: 'mode',
  roles: MANAGERS,
  needsRecentSignIn: () => true,
  tag: 'Account',
  summary: 'Revoke an API key',
  description: 'Revokes a key of the mode permanently, within 5 s. A repeated request changes nothing.',
  answer: { status: 200, description: 'The revoked key.', schema: API_KEY },
  handle:
    ({ accounts }) =>
    async ({ tenant, ids }) => {
      const { apiKey } = await accounts.revokeApiKey({ ...tenant, apiKeyId: ids.id })
      return apiKeyToJson(required(apiKey))
    },
})
