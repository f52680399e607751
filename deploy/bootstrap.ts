/**
 * Creates the organization and the API keys of a new installation by RPCs. Later starts change nothing.
 */
import type { Client } from '@connectrpc/connect'
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { secretKeyring } from '@platen/runtime/keyring.ts'
import { z } from 'zod'
import { connectServices } from './connect-services.ts'
import { readJson, writePrivateJson } from './private-file.ts'
import type { Installation } from './services.ts'
import { rpcUrl } from './services.ts'

const ORGANIZATION = 'Default'
const PRINTING = ['read', 'print']
const ALL_SCOPES = [...PRINTING, 'admin']

const CREDENTIALS = z.object({
  baseUrl: z.string(),
  agentUrl: z.string(),
  organizationId: z.string(),
  /** With all scopes. */
  testKey: z.string(),
  /** With the scopes read and print, because it is printed at the first start, and output is often stored in logs. */
  liveKey: z.string(),
  /** A live key with all scopes. Never printed. */
  adminKey: z.string(),
})

/** `credentials.json`: for users and tests of the installation. */
export type Credentials = z.infer<typeof CREDENTIALS>

/**
 * Requires the accounts service. Each start updates the addresses, because the ports may have changed.
 *
 * @returns also whether the keys are new.
 */
export async function bootstrap(installation: Installation): Promise<{ credentials: Credentials; isFirst: boolean }> {
  const { settings, data, secrets, ports } = installation
  const services = connectServices({ secret: secretKeyring.parse(secrets.rpcSecret), getUrl: () => rpcUrl(ports.rpc) })
  try {
    const accounts = services.client(AccountsService)
    const { baseUrl, agentUrl } = settings
    const stored = CREDENTIALS.safeParse(await readJson(data.credentialsFile)).data
    const credentials = { ...(stored ?? (await createCredentials(accounts))), baseUrl, agentUrl }
    writePrivateJson(data.credentialsFile, credentials)
    return { credentials, isFirst: stored === undefined }
  } finally {
    services.close()
  }
}

async function createCredentials(accounts: Client<typeof AccountsService>) {
  const { organizations } = await accounts.listOrganizations({})
  const organization = organizations[0] ?? (await accounts.createOrganization({ name: ORGANIZATION })).organization
  if (!organization) throw new Error('accounts answered without an organization')
  const organizationId = organization.id
  const createKey = async (name: string, mode: 'test' | 'live', scopes: string[]) =>
    (await accounts.createApiKey({ organizationId, name: `npm start ${name}`, mode, scopes })).key
  return {
    organizationId,
    testKey: await createKey('test', 'test', ALL_SCOPES),
    liveKey: await createKey('live', 'live', PRINTING),
    adminKey: await createKey('admin', 'live', ALL_SCOPES),
  }
}
