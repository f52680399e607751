import { timestampOrNone } from '@platen/proto/timestamps.ts'
import { z } from 'zod'
import { SCOPES } from '../authentication/require-permission.ts'
import { MANAGERS } from '../caller.ts'
import { getSession } from '../context.ts'
import { operation } from '../operation/operation.ts'
import { jsonBody } from '../request/json-body-schema.ts'
import { time } from '../request/time.ts'
import { required } from '../required.ts'
import { API_KEY, apiKeyToJson } from './list-api-keys.ts'

const NEW_API_KEY = jsonBody({
  name: z.string().meta({ example: 'Till 7' }),
  scopes: z.array(z.enum(SCOPES)).meta({ example: ['read', 'print'] }),
  expiresAt: time().optional(),
})

/** With the key itself, which no other answer has. */
const CREATED_API_KEY = API_KEY.extend({ key: z.string() })

export const createApiKey = operation({
  operationId: 'createApiKey',
  method: 'post',
  path: '/account/keys',
  scope: null,
  credential: 'session',
  tenant: 'mode',
  roles: MANAGERS,
  needsRecentSignIn: () => true,
  tag: 'Account',
  summary: 'Create an API key',
  description: 'Creates a key of the mode. Only this answer contains it.',
  body: NEW_API_KEY,
  errors: ['limit_reached'],
  answer: { status: 201, description: 'The key, which is shown only once.', schema: CREATED_API_KEY },
  handle:
    ({ accounts }) =>
    async ({ ctx, tenant, body: { expiresAt, ...facts } }) => {
      const created = await accounts.createApiKey({
        ...tenant,
        ...facts,
        expiresAt: timestampOrNone(expiresAt),
        createdBy: getSession(ctx).user.id,
      })
      return { ...apiKeyToJson(required(created.apiKey)), key: created.key }
    },
})
