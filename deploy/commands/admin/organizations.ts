import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { timestampToJson } from '@platen/resources/timestamp-to-json.ts'
import type { Connect } from '../../launcher/connect-services.ts'
import type { Options } from './commands.ts'
import { recordCommand } from './record-command.ts'

export async function createOrganization(connect: Connect, _options: Options, [name = '']: string[]) {
  const accounts = connect(AccountsService)
  const { organization } = await accounts.createOrganization({ name })
  // Its log begins with its creation.
  const { id = '' } = organization ?? {}
  await recordCommand(accounts, 'createOrganization', { org: id, target: id }, async () => undefined)
  return { id: organization?.id, name: organization?.name }
}

export async function listOrganizations(connect: Connect) {
  const { organizations } = await connect(AccountsService).listOrganizations({})
  return {
    data: organizations.map(({ id, name, createdAt, isSuspended, deletedAt }) => ({
      id,
      name,
      createdAt: timestampToJson(createdAt),
      isSuspended,
      deletedAt: timestampToJson(deletedAt),
    })),
  }
}

export const suspendOrganization = (connect: Connect, { org = '' }: Options) => setSuspended(connect, org, true)

export const resumeOrganization = (connect: Connect, { org = '' }: Options) => setSuspended(connect, org, false)

async function setSuspended(connect: Connect, org: string, isSuspended: boolean) {
  const accounts = connect(AccountsService)
  const action = isSuspended ? 'suspendOrganization' : 'resumeOrganization'
  const { organization } = await recordCommand(accounts, action, { org, target: org }, () =>
    accounts.setSuspended({ organizationId: org, isSuspended }),
  )
  return { id: organization?.id, name: organization?.name, isSuspended: organization?.isSuspended }
}
