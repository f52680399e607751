import { AccountsService, type Member } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import type { Connect, Options } from './commands.ts'
import { toJson } from './to-json.ts'

/** Whoever is in the organization already gets this role in the place of the one so far. */
export async function addUser(connect: Connect, { org = '', email = '', role = '' }: Options) {
  const { member } = await connect(AccountsService).addMember({ organizationId: org, email, role })
  return { organizationId: org, ...(member && userToJson(member)) }
}

export async function listUsers(connect: Connect, { org = '' }: Options) {
  const { members } = await connect(AccountsService).listMembers({ organizationId: org })
  return { data: members.map(userToJson) }
}

const userToJson = ({ userId, email, role, createdAt }: Member) => ({
  id: userId,
  email,
  role,
  createdAt: toJson(createdAt),
})
