import type { CreateOrganizationRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Accounts } from '../accounts.ts'
import { organizationToProto } from '../accounts-to-proto.ts'
import { OrganizationEntity } from '../entities.ts'
import * as fields from '../request-fields.ts'

const REQUEST = z.object({ name: fields.name })

/** @throws ApiError `invalid_request` for an invalid name. */
export async function createOrganization(accounts: Accounts, request: CreateOrganizationRequest) {
  const { name } = fields.parseRequest(REQUEST, request)
  const em = accounts.orm.em.fork()
  const organization = em.create(OrganizationEntity, { id: uuidv7(), name, createdAt: accounts.clock.now() })
  await em.flush()
  return { organization: organizationToProto(organization) }
}
