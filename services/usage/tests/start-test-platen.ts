import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startAccounts } from '@platen/accounts/service.ts'
import { startDevices } from '@platen/devices/service.ts'
import { startGateway } from '@platen/gateway/service.ts'
import { startJobs } from '@platen/jobs/service.ts'
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { UsageService } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import { connectRpc } from '@platen/runtime/rpc/client.ts'
import { createApi } from '@platen/test/harness/api.ts'
import { createDatabase } from '@platen/test/harness/database.ts'
import { DEVICES_DURATIONS, JOBS_DURATIONS, WEBHOOKS_DURATIONS } from '@platen/test/harness/durations.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { startTestNats } from '@platen/test/harness/nats.ts'
import { makePdf } from '@platen/test/harness/pdf.ts'
import { createTestClock } from '@platen/test/harness/test-clock.ts'
import { createTestProcess, type TestProcess } from '@platen/test/harness/test-process.ts'
import { startWebhooks } from '@platen/webhooks/service.ts'
import { Pool, type QueryResultRow } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { onTestFinished } from 'vitest'
import { startUsage } from '../service.ts'

const SECRET = 'a secret of the test installation'
const LISTEN = '127.0.0.1'
const SCOPES = ['read', 'print']

export type TestPlaten = Awaited<ReturnType<typeof startTestPlaten>>

/** All services on real servers, with one clock for jobs and usage that the test moves. No agent. */
export async function startTestPlaten({ now = new Date('2026-03-10T12:00:00Z'), republishAfterMs = 30_000 } = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'platen-files-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const [databaseUrl, nats] = await Promise.all([createDatabase(), startTestNats()])
  const fileStoreUrl = pathToFileURL(directory).href
  const clock = createTestClock(now)
  const [accounts, jobs, devices, usage, webhooks] = await Promise.all([
    address(),
    address(),
    address(),
    address(),
    address(),
  ])
  const stores = { databaseUrl, natsUrl: nats.url }

  const startUsageReplica = async () => {
    const service = newProcess('usage')
    await startUsage(service, { ...usage, ...stores }, clock)
    return service
  }
  const gateway = newProcess('gateway')
  const urls = {
    accountsUrl: accounts.url,
    jobsUrl: jobs.url,
    devicesUrl: devices.url,
    usageUrl: usage.url,
    webhooksUrl: webhooks.url,
  }
  const [{ port }, firstUsage] = await Promise.all([
    startGateway(gateway, {
      ...urls,
      listen: { host: LISTEN, port: 0 },
      rpcSecret: SECRET,
      fileStoreUrl,
      allowedNetworks: [],
      upgradeUrl: 'https://print.example/billing',
      agentPublicUrl: undefined,
      agentPort: 8090,
      olderKeyPrefixes: [],
      natsUrl: nats.url,
      hstsSeconds: 0,
      rateLimitPerSecond: 10_000,
    }),
    startUsageReplica(),
    startWebhooks(newProcess('webhooks'), {
      ...webhooks,
      ...stores,
      accountsUrl: accounts.url,
      webhookKey: randomBytes(32),
      allowedNetworks: [],
      mail: { from: 'Platen <platen@localhost>', to: { directory: join(directory, 'mailbox') } },
      ...WEBHOOKS_DURATIONS,
    }),
    startAccounts(newProcess('accounts'), { ...accounts, databaseUrl }),
    startJobs(
      newProcess('jobs'),
      {
        ...jobs,
        ...stores,
        fileStoreUrl,
        fetchKey: randomBytes(32),
        allowedNetworks: [],
        ...JOBS_DURATIONS,
        republishAfterMs,
        testJobsPerDay: 500,
      },
      clock,
    ),
    startDevices(newProcess('devices'), {
      ...devices,
      ...stores,
      jobsUrl: jobs.url,
      fileStoreUrl,
      agentAddress: `${LISTEN}:${await freePort()}`,
      ...DEVICES_DURATIONS,
    }),
  ])

  const client = newProcess('test')
  const pool = new Pool({ connectionString: databaseUrl })
  onTestFinished(() => pool.end())
  const query = async <Row extends QueryResultRow>(sql: string, values: unknown[] = []) =>
    (await pool.query<Row>(sql, values)).rows
  const accountsClient = connectRpc(client, AccountsService, { url: accounts.url, secret: SECRET })
  const devicesClient = connectRpc(client, DevicesService, { url: devices.url, secret: SECRET })

  /** With a live printer and a virtual one, past the agents: nobody prints here. */
  async function addOrganization() {
    const organizationId = (await accountsClient.createOrganization({ name: 'Ours' })).organization?.id ?? ''
    const keyOf = async (mode: string) =>
      (await accountsClient.createApiKey({ organizationId, name: mode, mode, scopes: SCOPES })).key
    const addComputer = async () => {
      const id = uuidv7()
      await query(
        `INSERT INTO devices.computer (id, organization_id, mode, name, credential_sha256, created_at)
         VALUES ($1, $2, 'live', 'Till', sha256(uuid_send($1)), now())`,
        [id, organizationId],
      )
      return id
    }
    const liveComputerId = await addComputer()
    const { computerId: testComputerId } = await devicesClient.enrollTestComputer({ organizationId })
    const printerIds = await Promise.all(
      [liveComputerId, testComputerId].map(async (computerId) => {
        const id = uuidv7()
        await query(
          `INSERT INTO devices.printer (id, computer_id, organization_id, mode, os_name, name, description, display_name,
             enabled, is_default, reported_state, state_detail, state_reasons, capabilities, default_options, custom_papers,
             created_at, updated_at)
           SELECT $1, id, organization_id, mode, 'laser', 'Laser', '', 'Laser', true, false, 'online', '', '{}', '{}', '{}', '[]',
             now(), now() FROM devices.computer WHERE id = $2`,
          [id, computerId],
        )
        return id
      }),
    )
    const [livePrinterId = '', testPrinterId = ''] = printerIds
    const baseUrl = `http://${LISTEN}:${port}`
    return {
      id: organizationId,
      live: createApi(baseUrl, await keyOf('live')),
      test: createApi(baseUrl, await keyOf('test')),
      liveComputerId,
      addComputer,
      liveJob: (changes = {}) => printJob(livePrinterId, changes),
      testJob: (changes = {}) => printJob(testPrinterId, changes),
    }
  }

  return {
    clock,
    nats,
    query,
    databaseUrl,
    addOrganization,
    firstUsage,
    startUsageReplica,
    /** For `main.ts` as a process of its own. */
    usageEnvironment: {
      PLATEN_RPC_LISTEN: `${LISTEN}:${usage.rpc.listen.port}`,
      PLATEN_RPC_SECRET: SECRET,
      PLATEN_DATABASE_URL: databaseUrl,
      PLATEN_NATS_URL: nats.url,
    },
    jobs: connectRpc(client, JobsService, { url: jobs.url, secret: SECRET }),
    usage: connectRpc(client, UsageService, { url: usage.url, secret: SECRET }),
  }
}

async function address() {
  const listen = { host: LISTEN, port: await freePort() }
  return { rpc: { listen, secret: SECRET }, url: `http://${LISTEN}:${listen.port}` }
}

function newProcess(name: string): TestProcess {
  const service = createTestProcess(name)
  onTestFinished(() => service.stop())
  return service
}

function printJob(printerId: string, changes: Record<string, unknown>) {
  const content = makePdf('Hello').toString('base64')
  return { printerId, title: 'Invoice', contentType: 'pdf_base64', content, ...changes }
}
