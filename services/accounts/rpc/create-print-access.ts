import type { CreatePrintAccessRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { hashApiKey, toLastFour } from '@platen/resources/api-key.ts'
import { BUDGETS } from '@platen/resources/budgets.ts'
import { PRINT_ACCESS_LIMITS } from '@platen/resources/limits.ts'
import { makePrintSecret } from '@platen/resources/print-secret.ts'
import { budgetExceeded } from '@platen/runtime/budget.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Accounts } from '../accounts.ts'
import { ApiKeyEntity, MembershipEntity, MODES } from '../entities.ts'
import { findOrganization } from '../find-organization.ts'
import { nameCreators } from '../name-creators.ts'
import * as fields from '../request-fields.ts'

const REQUEST = z.object({
  organizationId: z.string(),
  name: fields.name,
  mode: z.enum(MODES, `must be ${MODES.join(' or ')}`),
  printerIds: z.array(z.uuid('must be ids')).max(PRINT_ACCESS_LIMITS.printersMax),
  userId: z.string(),
  createdBy: z.string(),
})

/**
 * Creates a print access. Only this response contains its secret, because only its SHA-256 is stored.
 *
 * @throws ApiError `invalid_request`; `not_found` if the organization does not exist or has no such member;
 *   `limit_reached`.
 */
export async function createPrintAccess(accounts: Accounts, request: CreatePrintAccessRequest) {
  const { organizationId, name, mode, printerIds, userId, createdBy } = fields.parseRequest(REQUEST, request)
  const secret = makePrintSecret()
  const em = accounts.orm.em.fork()
  const access = await em.transactional(async (em) => {
    // The lock serializes the counts, and a removal of the member.
    const organization = await findOrganization(em, organizationId, true)
    const valid = { organization, kind: 'print', revokedAt: null } as const
    const { max } = BUDGETS.printAccesses
    if ((await em.count(ApiKeyEntity, valid)) >= max) throw budgetExceeded('printAccesses', max)
    if (userId) await requireMember(userId)
    return em.create(ApiKeyEntity, {
      id: uuidv7(),
      organization,
      name,
      mode,
      scopes: [],
      keySha256: hashApiKey(secret),
      prefix: '',
      lastFour: toLastFour(secret),
      createdAt: accounts.clock.now(),
      createdBy: createdBy || null,
      kind: 'print',
      printerIds,
      userId: userId || null,
    })

    async function requireMember(user: string): Promise<void> {
      const isMember = fields.isId(user) && (await em.count(MembershipEntity, { organization, user })) > 0
      if (!isMember)
        throw new ApiError('not_found', 'The organization has no member with the id of `userId`.', { param: 'userId' })
      const { perMember } = PRINT_ACCESS_LIMITS
      if ((await em.count(ApiKeyEntity, { ...valid, userId: user })) >= perMember)
        throw new ApiError('limit_reached', `A member has at most ${perMember} print accesses. Revoke one first.`)
    }
  })
  const [named] = await nameCreators(em, [access])
  return { apiKey: named, secret }
}
