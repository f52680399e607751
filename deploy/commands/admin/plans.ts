import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { UsageService } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import type { Connect } from '../../launcher/connect-services.ts'
import { StartupError } from '../../launcher/startup-error.ts'
import type { Options } from './commands.ts'
import { recordCommand } from './record-command.ts'

const LIMIT_MAX = 2 ** 32 - 1

/** Checks that the organization exists, because the usage service accepts any id. */
export async function setPlan(connect: Connect, { org = '', prints = '', computers = '' }: Options) {
  const limits = { printsLimit: parseLimit('prints', prints), computersLimit: parseLimit('computers', computers) }
  const accounts = connect(AccountsService)
  await accounts.getOrganization({ organizationId: org })
  const { plan } = await recordCommand(accounts, 'setPlan', { org }, () =>
    connect(UsageService).setPlan({ organizationId: org, ...limits }),
  )
  return {
    organizationId: org,
    plan: plan?.name,
    prints: plan?.printsLimit ?? null,
    computers: plan?.computersLimit ?? null,
  }
}

/** @returns undefined for `unlimited`. */
function parseLimit(option: string, text: string): number | undefined {
  if (text === 'unlimited') return undefined
  if (!/^\d{1,10}$/.test(text) || Number(text) > LIMIT_MAX)
    throw new StartupError(`\`--${option}\` must be a whole number from 0 to ${LIMIT_MAX} or \`unlimited\`.`)
  return Number(text)
}
