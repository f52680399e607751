import type { ApiKey } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { id, timestamp } from '@platen/resources/fields.ts'
import { createToJson, emptyAsNull } from '@platen/resources/to-json.ts'
import { z } from 'zod'
import { SCOPES } from '../authentication/require-permission.ts'
import { MANAGERS, MODES } from '../caller.ts'
import { operation } from '../operation/operation.ts'

export const API_KEY = z
  .object({
    id: id(),
    name: z.string(),
    /** The readable start of the key. */
    prefix: z.string(),
    /** Null for old keys. */
    lastFour: z.string().nullable(),
    mode: z.enum(MODES),
    scopes: z.array(z.enum(SCOPES)),
    createdAt: timestamp(),
    /** Null for keys of operators. `name` is the e-mail address, null for a removed user. */
    createdBy: z.object({ kind: z.literal('user'), id: id(), name: z.string().nullable() }).nullable(),
    /** Accurate to one minute. */
    lastUsedAt: timestamp().nullable(),
    /** Null if it does not expire. */
    expiresAt: timestamp().nullable(),
    /** `expiresAt` for an expired key, soon after that time. */
    revokedAt: timestamp().nullable(),
  })
  .meta({ id: 'ApiKey' })

const API_KEYS = z.object({ data: z.array(API_KEY) })

export const listApiKeys = operation({
  operationId: 'listApiKeys',
  method: 'get',
  path: '/account/keys',
  scope: null,
  credential: 'session',
  tenant: 'mode',
  roles: MANAGERS,
  tag: 'Account',
  summary: 'List API keys',
  description: 'The keys of the mode: the valid ones first, each the newest first.',
  answer: { status: 200, description: 'The keys.', schema: API_KEYS },
  handle:
    ({ accounts }) =>
    async ({ tenant }) => {
      const { apiKeys } = await accounts.listApiKeys(tenant)
      return { data: apiKeys.map(apiKeyToJson) }
    },
})

export const apiKeyToJson = createToJson<ApiKey, typeof API_KEY>(API_KEY, {
  ...emptyAsNull('lastFour'),
  createdBy: ({ createdBy, createdByEmail }) =>
    createdBy ? { kind: 'user', id: createdBy, name: createdByEmail || null } : null,
})
