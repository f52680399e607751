/** Makes the organizations of a system, each with one computer, by the services' own RPCs. Called by `start-system.ts`. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '@connectrpc/connect'
import { writePrivateJson } from '@platen/deploy/private-file.ts'
import { rpcUrl } from '@platen/deploy/services.ts'
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { EndpointsService } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { EVENT_TYPES } from '@platen/resources/event-types.ts'
import { connectRpc } from '@platen/runtime/rpc/client.ts'
import { makeLive } from '../../harness/make-live.ts'
import { createTestProcess } from '../../harness/test-process.ts'
import type { Tenant } from './chaos-system.ts'
import type { Hooks } from './hooks.ts'

/** Every second one prints live. */
export async function createTenants(
  count: number,
  ports: { accounts: number; devices: number; webhooks: number },
  secret: string,
  { databaseUrl, hooks }: { databaseUrl: string; hooks: Hooks | undefined },
): Promise<Tenant[]> {
  const client = createTestProcess('chaos')
  const accounts = connectRpc(client, AccountsService, { url: rpcUrl(ports.accounts), secret })
  const devices = connectRpc(client, DevicesService, { url: rpcUrl(ports.devices), secret })
  const webhooks = connectRpc(client, EndpointsService, { url: rpcUrl(ports.webhooks), secret })
  const tenants: Tenant[] = []
  try {
    for (let n = 0; n < count; n++) {
      const name = `Tenant ${n}`
      const organizationId = (await accounts.createOrganization({ name })).organization?.id ?? ''
      const mode = n % 2 === 0 ? 'test' : 'live'
      const { key } = await accounts.createApiKey({ organizationId, name, mode, scopes: ['read', 'print'] })
      const { computerId, credential } = await devices.enrollTestComputer({ organizationId })
      if (mode === 'live') await makeLive(databaseUrl, computerId)
      const endpoints = hooks ? await createEndpoints(webhooks, hooks, { organizationId, mode }) : []
      tenants.push({ organizationId, computerId, key, credential, endpoints })
    }
  } finally {
    await client.stop()
  }
  return tenants
}

/**
 * One that hears everything, one that hears little, and one of the other mode, in which nothing happens.
 *
 * Made one after the other before the load begins, so that every event of it has to come.
 */
async function createEndpoints(
  webhooks: Client<typeof EndpointsService>,
  hooks: Hooks,
  { organizationId, mode }: { organizationId: string; mode: string },
): Promise<Tenant['endpoints']> {
  const other = mode === 'test' ? 'live' : 'test'
  const wanted = [
    { name: 'everything', mode, events: [...EVENT_TYPES] },
    { name: 'little', mode, events: ['printjob.done', 'printjob.error', 'computer.offline'] },
    { name: 'other', mode: other, events: [...EVENT_TYPES] },
  ]
  const made: Tenant['endpoints'] = []
  for (const { name: kind, ...asked } of wanted) {
    const name = `${organizationId}/${kind}`
    const { endpoint, secret } = await webhooks.createEndpoint({ organizationId, ...asked, url: hooks.urlOf(name) })
    const id = endpoint?.id ?? ''
    hooks.know(name, { id, secret })
    made.push({ facts: { id, organizationId, ...asked }, secret })
  }
  return made
}

/** @param directory the agent's data directory; made here. */
export async function configureAgent(directory: string, { credential }: Tenant, agentUrl: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  writePrivateJson(join(directory, 'agent.json'), { agentUrl, credential, spooler: 'virtual' })
}
