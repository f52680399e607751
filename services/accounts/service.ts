/** Organizations and API keys. Composes the service; `main.ts` runs it. */
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { systemClock } from '@platen/runtime/clock.ts'
import { openDatabase } from '@platen/runtime/database/database.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { serveRpc } from '@platen/runtime/rpc/server.ts'
import type { Accounts } from './accounts.ts'
import type { Config } from './config.ts'
import { ApiKeyEntity, OrganizationEntity } from './entities.ts'
import { CreateAccounts } from './migrations/0001-accounts.ts'
import { createApiKey } from './rpc/create-api-key.ts'
import { createOrganization } from './rpc/create-organization.ts'
import { listOrganizations } from './rpc/list-organizations.ts'
import { verifyApiKey } from './rpc/verify-api-key.ts'

export async function startAccounts(service: ServiceProcess, config: Config): Promise<void> {
  const { orm, pool } = await openDatabase(service, {
    url: config.databaseUrl,
    schema: 'accounts',
    entities: [OrganizationEntity, ApiKeyEntity],
    migrations: [{ name: '0001-accounts', class: CreateAccounts }],
  })
  const accounts: Accounts = { orm, pool, clock: systemClock }
  await serveRpc(service, {
    ...config.rpc,
    ready: () => pool.query('SELECT 1'),
    routes: (router) =>
      router.service(AccountsService, {
        createOrganization: (request) => createOrganization(accounts, request),
        listOrganizations: () => listOrganizations(accounts),
        createApiKey: (request) => createApiKey(accounts, request),
        verifyApiKey: (request) => verifyApiKey(accounts, request),
      }),
  })
}
