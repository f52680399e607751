import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { CreateApiKeyRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { hashApiKey, makeApiKey, toKeyPrefix, toLastFour } from '@platen/resources/api-key.ts'
import { BUDGETS } from '@platen/resources/budgets.ts'
import { budgetExceeded } from '@platen/runtime/budget.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Accounts } from '../accounts.ts'
import { ApiKeyEntity, MODES, SCOPES } from '../entities.ts'
import { findOrganization } from '../find-organization.ts'
import { nameCreators } from '../name-creators.ts'
import * as fields from '../request-fields.ts'

const REQUEST = z.object({
  organizationId: z.string(),
  name: fields.name,
  createdBy: z.string(),
  mode: z.enum(MODES, `must be ${MODES.join(' or ')}`),
  scopes: z
    .array(z.enum(SCOPES, { error: ({ input }) => `\`${input}\` is not one of ${SCOPES.join(', ')}` }))
    .min(1, 'must contain at least one scope')
    .transform((given) => SCOPES.filter((scope) => given.includes(scope))),
})

/**
 * Creates a key. Only this response contains it, because only its SHA-256 is stored.
 *
 * @throws ApiError `invalid_request`; `not_found` if the organization does not exist; `limit_reached`.
 */
export async function createApiKey(accounts: Accounts, request: CreateApiKeyRequest) {
  const { organizationId, name, mode, scopes, createdBy } = fields.parseRequest(REQUEST, request)
  const now = accounts.clock.now()
  const expiresAt = request.expiresAt ? timestampDate(request.expiresAt) : null
  if (expiresAt && expiresAt <= now)
    throw new ApiError('invalid_request', '`expiresAt`: must be in the future.', { param: 'expiresAt' })
  const key = makeApiKey(mode)
  const em = accounts.orm.em.fork()
  const apiKey = await em.transactional(async (em) => {
    const organization = await findOrganization(em, organizationId, true)
    const { max } = BUDGETS.apiKeys
    if ((await em.count(ApiKeyEntity, { organization, revokedAt: null, kind: '' })) >= max)
      throw budgetExceeded('apiKeys', max)
    return em.create(ApiKeyEntity, {
      id: uuidv7(),
      organization,
      name,
      mode,
      scopes,
      keySha256: hashApiKey(key),
      prefix: toKeyPrefix(key),
      lastFour: toLastFour(key),
      createdAt: now,
      expiresAt,
      createdBy: createdBy || null,
    })
  })
  const [named] = await nameCreators(em, [apiKey])
  return { apiKey: named, key }
}
