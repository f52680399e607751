/**
 * `admin orgs delete`: drives the deletion of an organization in all services. It can be interrupted and repeated at
 * any time.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { UsageService } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import { EndpointsService } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { timestampToJson } from '@platen/resources/timestamp-to-json.ts'
import type { Connect } from '../../launcher/connect-services.ts'
import { StartupError } from '../../launcher/startup-error.ts'
import type { Options } from './commands.ts'
import { recordCommand } from './record-command.ts'

/** Events of the removal itself, and what is waited for, arrive within this time. */
const PAUSE_MS = 1_000

/**
 * Accounts first, which ends all access. Devices before jobs, because it ends the jobs; webhooks last, which gets the
 * events of all.
 */
const SERVICES = {
  accounts: AccountsService,
  devices: DevicesService,
  jobs: JobsService,
  usage: UsageService,
  webhooks: EndpointsService,
}

/** @throws StartupError if `--confirm` is not the name of the organization. */
export async function deleteOrganization(connect: Connect, { org = '', confirm = '' }: Options) {
  const accounts = connect(AccountsService)
  const { organization } = await accounts.getOrganization({ organizationId: org })
  if (organization?.name !== confirm)
    throw new StartupError(
      `The name of this organization is ${JSON.stringify(organization?.name)}. Repeat it as --confirm.`,
    )
  await recordCommand(accounts, 'deleteOrganization', { org, target: org }, async () => {
    while ((await removeOnce(connect, org)) > 0) await sleep(PAUSE_MS)
  })
  const receipt = await accounts.recordDeletion({ organizationId: org, isComplete: true })
  return { id: org, name: confirm, removed: receipt.removed, completedAt: timestampToJson(receipt.completedAt) }
}

/** @returns how many rows it has removed. */
async function removeOnce(connect: Connect, organizationId: string): Promise<number> {
  let total = 0
  for (const [service, description] of Object.entries(SERVICES)) {
    const client = connect(description)
    let cursor = ''
    for (;;) {
      const answer = await client.deleteOrganization({ organizationId, cursor })
      const rows = Object.entries(answer.removed).filter(([, count]) => count > 0)
      const count = rows.reduce((sum, [, each]) => sum + each, 0)
      if (count > 0) {
        const removed = Object.fromEntries(rows.map(([table, each]) => [`${service}.${table}`, each]))
        await connect(AccountsService).recordDeletion({ organizationId, removed })
        console.error(`${service}: removed ${rows.map(([table, each]) => `${each} ${table}`).join(', ')}`)
      }
      total += count
      cursor = answer.cursor
      if (count > 0 || cursor !== '') continue
      if (!answer.isWaiting) break
      await sleep(PAUSE_MS)
    }
  }
  return total
}
