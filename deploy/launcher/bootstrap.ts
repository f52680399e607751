/**
 * Creates the organization, its owner and the API keys of a new installation by RPCs. Later starts change nothing.
 */
import type { Client } from '@connectrpc/connect'
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { z } from 'zod'
import { connectServices } from './connect-services.ts'
import { readJson, writePrivateJson } from './private-file.ts'
import { type Installation, toOpsUrl } from './services.ts'
import { StartupError } from './startup-error.ts'

type Accounts = Client<typeof AccountsService>

const ORGANIZATION = 'Default'
const PRINTING = ['read', 'print']
const ALL_SCOPES = [...PRINTING, 'admin']

const CREDENTIALS = z.object({
  baseUrl: z.string(),
  agentUrl: z.string(),
  organizationId: z.string(),
  /** Has all scopes: test mode has no paper and nothing of others. */
  testKey: z.string(),
  /** Has the scopes read and print, because the first start prints it, and output is often stored in logs. */
  liveKey: z.string(),
  /** A live key with all scopes. Never printed. */
  adminKey: z.string(),
})

/** `credentials.json`: for users and tests of the installation. */
export type Credentials = z.infer<typeof CREDENTIALS>

export interface Bootstrapped {
  credentials: Credentials
  /** The addresses of the owners. */
  owners: string[]
  /** Whether the keys are new. */
  isFirst: boolean
}

/**
 * Requires the accounts service. Each start updates the addresses, because the ports may have changed.
 *
 * @throws StartupError if the address of the owner is not valid.
 */
export async function bootstrap(installation: Installation): Promise<Bootstrapped> {
  const { settings, data, secrets } = installation
  const connect = connectServices({ secret: secrets.operatorSecret, getUrl: () => toOpsUrl(installation) })
  const accounts = connect(AccountsService)
  const { baseUrl, agentUrl } = settings
  const stored = CREDENTIALS.safeParse(await readJson(data.credentialsFile)).data
  const credentials = { ...(stored ?? (await createCredentials(accounts))), baseUrl, agentUrl }
  const owners = await ensureOwner(accounts, credentials.organizationId, settings.ownerEmail)
  writePrivateJson(data.credentialsFile, credentials)
  return { credentials, owners, isFirst: stored === undefined }
}

/** An organization without an owner gets one, also at a later start. */
async function ensureOwner(accounts: Accounts, organizationId: string, email: string): Promise<string[]> {
  const { members } = await accounts.listMembers({ organizationId, roles: ['owner'] })
  if (members.length > 0) return members.map((owner) => owner.email)
  try {
    const { member } = await accounts.addMember({ organizationId, email, role: 'owner' })
    return member ? [member.email] : []
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'invalid_request') throw error
    throw new StartupError(`PLATEN_OWNER_EMAIL (${email}) is not an e-mail address.`)
  }
}

async function createCredentials(accounts: Accounts) {
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
