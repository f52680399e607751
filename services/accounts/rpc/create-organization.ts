import { create } from '@bufbuild/protobuf'
import {
  type CreateOrganizationRequest,
  type CreateOrganizationResponse,
  CreateOrganizationResponseSchema,
} from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Accounts } from '../accounts.ts'
import { organizationToProto } from '../accounts-to-proto.ts'
import { OrganizationEntity } from '../entities.ts'

/** @throws ApiError `invalid_request` for an empty name. */
export async function createOrganization(
  accounts: Accounts,
  { name }: CreateOrganizationRequest,
): Promise<CreateOrganizationResponse> {
  if (name.trim() === '') throw new ApiError('invalid_request', 'An organization needs a name.')
  const em = accounts.orm.em.fork()
  const organization = em.create(OrganizationEntity, { id: uuidv7(), name, createdAt: accounts.clock.now() })
  await em.flush()
  return create(CreateOrganizationResponseSchema, { organization: organizationToProto(organization) })
}
