import { AccountsService, type Member } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { timestampToJson } from '@platen/resources/timestamp-to-json.ts'
import type { Connect } from '../../launcher/connect-services.ts'
import type { Options } from './commands.ts'
import { recordCommand } from './record-command.ts'

/** Adds a user or replaces the role of a member. */
export async function addUser(connect: Connect, { org = '', email = '', role = '' }: Options) {
  const accounts = connect(AccountsService)
  const { member } = await recordCommand(
    accounts,
    'addMember',
    { org, getCreated: (added) => added.member?.userId },
    () => accounts.addMember({ organizationId: org, email, role }),
  )
  return { organizationId: org, ...(member && userToJson(member)) }
}

export async function listUsers(connect: Connect, { org = '' }: Options) {
  const { members } = await connect(AccountsService).listMembers({ organizationId: org })
  return { data: members.map(userToJson) }
}

/** For a user who gets no mail. */
export async function createSignInCode(connect: Connect, _options: Options, [email = '']: string[]) {
  const accounts = connect(AccountsService)
  const { code, expiresAt } = await recordCommand(accounts, 'createSignInCode', { email }, () =>
    accounts.createSignInCode({ email }),
  )
  return { code, expiresAt: timestampToJson(expiresAt) }
}

/** From all organizations, also the last owner of one. */
export async function removeUser(connect: Connect, _options: Options, [email = '']: string[]) {
  const accounts = connect(AccountsService)
  const { userId } = await recordCommand(accounts, 'removeUser', { email }, () => accounts.removeUser({ email }))
  return { id: userId }
}

const userToJson = ({ userId, email, role, createdAt }: Member) => ({
  id: userId,
  email,
  role,
  createdAt: timestampToJson(createdAt),
})
