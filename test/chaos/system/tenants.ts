/** Makes the organizations of a system, each with one computer, by the services' own RPCs. Called by `start-system.ts`. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { writePrivateJson } from '@platen/deploy/private-file.ts'
import { rpcUrl } from '@platen/deploy/services.ts'
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { connectRpc } from '@platen/runtime/rpc/client.ts'
import { makeLive } from '../../harness/make-live.ts'
import { createTestProcess } from '../../harness/test-process.ts'
import type { Tenant } from './chaos-system.ts'

/** Every second one prints live. */
export async function createTenants(
  count: number,
  ports: { accounts: number; devices: number },
  secret: string,
  databaseUrl: string,
): Promise<Tenant[]> {
  const client = createTestProcess('chaos')
  const accounts = connectRpc(client, AccountsService, { url: rpcUrl(ports.accounts), secret })
  const devices = connectRpc(client, DevicesService, { url: rpcUrl(ports.devices), secret })
  const tenants: Tenant[] = []
  try {
    for (let n = 0; n < count; n++) {
      const name = `Tenant ${n}`
      const organizationId = (await accounts.createOrganization({ name })).organization?.id ?? ''
      const mode = n % 2 === 0 ? 'test' : 'live'
      const { key } = await accounts.createApiKey({ organizationId, name, mode, scopes: ['read', 'print'] })
      const { computerId, credential } = await devices.enrollTestComputer({ organizationId })
      if (mode === 'live') await makeLive(databaseUrl, computerId)
      tenants.push({ organizationId, computerId, key, credential })
    }
  } finally {
    await client.stop()
  }
  return tenants
}

/** @param directory the agent's data directory; made here. */
export async function configureAgent(directory: string, { credential }: Tenant, agentUrl: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  writePrivateJson(join(directory, 'agent.json'), { agentUrl, credential, spooler: 'virtual' })
}
