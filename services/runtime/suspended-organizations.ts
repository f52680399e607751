/** The organizations for which devices and webhooks do no work: agents get no jobs, and webhooks no deliveries. */
import type { Client } from '@connectrpc/connect'
import type { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { ApiError } from './errors.ts'
import type { ServiceProcess } from './process.ts'
import { startTimer } from './timers.ts'

const POLL_EVERY_MS = 2_000

/** @returns their ids. While accounts does not answer, those of its last answer: none after the start. */
export function followSuspended(
  service: ServiceProcess,
  accounts: Pick<Client<typeof AccountsService>, 'listSuspended'>,
): { ids(): readonly string[]; has(organizationId: string): boolean } {
  let ids = new Set<string>()
  startTimer(service, 'suspended organizations', POLL_EVERY_MS, async () => {
    ids = new Set((await accounts.listSuspended({})).organizationIds)
  })
  return { ids: () => [...ids], has: (organizationId) => ids.has(organizationId) }
}

/** The refusal of what a suspended organization asks for. */
export const organizationSuspended = () =>
  new ApiError('organization_suspended', 'The organization is suspended. Ask the operator of the service.')

export type Suspended = ReturnType<typeof followSuspended>
