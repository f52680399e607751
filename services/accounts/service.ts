/** Organizations, their members and API keys. Composes the service; `services/main.ts` runs it. */
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { type Clock, systemClock } from '@platen/runtime/clock.ts'
import { openDatabase } from '@platen/runtime/database/database.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { serveRpc } from '@platen/runtime/rpc/server.ts'
import { startTimer } from '@platen/runtime/timers.ts'
import type { Accounts } from './accounts.ts'
import type { Config } from './config.ts'
import { ApiKeyEntity, OrganizationEntity } from './entities.ts'
import { MIGRATIONS } from './migrations/migrations.ts'
import { addMember } from './rpc/add-member.ts'
import { createApiKey } from './rpc/create-api-key.ts'
import { createOrganization } from './rpc/create-organization.ts'
import { getApiKey } from './rpc/get-api-key.ts'
import { getOrganization } from './rpc/get-organization.ts'
import { listApiKeys } from './rpc/list-api-keys.ts'
import { listMembers } from './rpc/list-members.ts'
import { listOrganizations } from './rpc/list-organizations.ts'
import { revokeApiKey } from './rpc/revoke-api-key.ts'
import { verifyApiKeys } from './rpc/verify-api-keys.ts'
import { recordLastUses } from './timers/record-last-uses.ts'

const RECORD_USES_EVERY_MS = 10_000

export async function startAccounts(
  service: ServiceProcess,
  config: Config,
  clock: Clock = systemClock,
): Promise<Accounts> {
  const { orm, pool } = await openDatabase(service, {
    settings: config.database,
    schema: 'accounts',
    entities: [OrganizationEntity, ApiKeyEntity],
    migrations: MIGRATIONS,
  })
  const accounts: Accounts = { orm, pool, clock, lastUses: new Map() }
  service.onStop('last uses', () =>
    recordLastUses(accounts).catch((error) => service.log.warn({ err: error }, 'last uses of keys not recorded')),
  )
  startTimer(service, 'last uses', RECORD_USES_EVERY_MS, () => recordLastUses(accounts))
  await serveRpc(service, {
    ...config.rpc,
    routes: (router) =>
      router.service(AccountsService, {
        createOrganization: (request) => createOrganization(accounts, request),
        getOrganization: (request) => getOrganization(accounts, request),
        listOrganizations: () => listOrganizations(accounts),
        createApiKey: (request) => createApiKey(accounts, request),
        getApiKey: (request) => getApiKey(accounts, request),
        listApiKeys: (request) => listApiKeys(accounts, request),
        revokeApiKey: (request) => revokeApiKey(accounts, request),
        addMember: (request) => addMember(accounts, request),
        listMembers: (request) => listMembers(accounts, request),
        verifyApiKeys: (request) => verifyApiKeys(accounts, request),
      }),
  })
  return accounts
}
