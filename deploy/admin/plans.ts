import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { UsageService } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import { StartupError } from '../startup-error.ts'
import type { Connect, Options } from './commands.ts'

const LIMIT_MAX = 2 ** 32 - 1

/** The usage service knows no organizations, so that a wrong id would make a plan for nobody. */
export async function setPlan(connect: Connect, { org = '', prints = '', computers = '' }: Options) {
  const limits = { printsLimit: limit('prints', prints), computersLimit: limit('computers', computers) }
  await connect(AccountsService).getOrganization({ organizationId: org })
  const { plan } = await connect(UsageService).setPlan({ organizationId: org, ...limits })
  return {
    organizationId: org,
    plan: plan?.name,
    prints: plan?.printsLimit ?? null,
    computers: plan?.computersLimit ?? null,
  }
}

/** @returns undefined for no limit. */
function limit(option: string, text: string): number | undefined {
  if (text === 'unlimited') return undefined
  if (!/^\d{1,10}$/.test(text) || Number(text) > LIMIT_MAX)
    throw new StartupError(`--${option} must be a whole number from 0 to ${LIMIT_MAX}, or \`unlimited\`.`)
  return Number(text)
}
