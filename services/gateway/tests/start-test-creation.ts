/** The real jobs service, on its own database and with a clock of the test, behind a gateway: what a creation goes through. */
import { randomBytes } from 'node:crypto'
import type { Mode } from '@platen/accounts/api-key.ts'
import { startJobs } from '@platen/jobs/service.ts'
import { type Api, createApi } from '@platen/test/harness/api.ts'
import { createDatabase } from '@platen/test/harness/database.ts'
import { startDocumentServer } from '@platen/test/harness/document-server.ts'
import { JOBS_DURATIONS } from '@platen/test/harness/durations.ts'
import { startTestNats } from '@platen/test/harness/nats.ts'
import { createTestClock } from '@platen/test/harness/test-clock.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { Pool } from 'pg'
import { onTestFinished } from 'vitest'
import { startGateway } from '../service.ts'
import { PATIENCE_MS } from './start-test-gateway.ts'
import { makePrinter, startTestServices } from './start-test-services.ts'

export const OTHER_ORGANIZATION_ID = '01890a5d-0000-7000-8000-000000000011'
export const LIVE_PRINTER_ID = '01890a5d-0000-7000-8000-000000000013'

/** At every URL of `http://*.example.com`. */
export const DOCUMENT = '%PDF-1.7 from a URL'

export type TestCreation = Awaited<ReturnType<typeof startTestCreation>>

export async function startTestCreation({ testJobsPerDay = 500 } = {}) {
  const [services, databaseUrl, nats, documents] = await Promise.all([
    startTestServices(),
    createDatabase(),
    startTestNats(),
    startDocumentServer(DOCUMENT),
  ])
  const { config } = services
  const clock = createTestClock()
  services.printers = [
    makePrinter(),
    makePrinter({ organizationId: OTHER_ORGANIZATION_ID }),
    { ...makePrinter({ mode: 'live' }), id: LIVE_PRINTER_ID },
  ]
  const startRealJobs = async () => {
    const service = createTestProcess('jobs')
    const rpc = { listen: { host: '127.0.0.1', port: Number(new URL(config.jobsUrl).port) }, secret: config.rpcSecret }
    const fetching = { fileStoreUrl: config.fileStoreUrl, fetchKey: randomBytes(32), allowedNetworks: [] }
    const rest = { databaseUrl, natsUrl: nats.url, ...JOBS_DURATIONS, testJobsPerDay }
    onTestFinished(() => service.stop())
    await startJobs(service, { rpc, ...fetching, ...rest }, clock, documents.network)
    return service
  }
  const startRealGateway = async () => {
    const service = createTestProcess('gateway')
    const inPlace = { publicNetwork: documents.network, patienceMs: PATIENCE_MS }
    const { port } = await startGateway(service, config, undefined, inPlace)
    onTestFinished(() => service.stop())
    return `http://127.0.0.1:${port}`
  }
  const [, devices, jobs] = await Promise.all([services.start('accounts'), services.start('devices'), startRealJobs()])
  const baseUrl = await startRealGateway()
  const pool = new Pool({ connectionString: databaseUrl, max: 2 })
  onTestFinished(() => pool.end())
  const key = services.makeKey()
  return {
    services,
    documents,
    clock,
    devices,
    jobs,
    startRealJobs,
    startRealGateway,
    baseUrl,
    key,
    api: createApi(baseUrl, key),
    /** A client with an API key of its own. */
    client(mode: Mode = 'test', organizationId?: string): Api {
      return createApi(baseUrl, services.makeKey(mode, undefined, { organizationId }))
    },
    pool,
    async jobIds(): Promise<string[]> {
      const { rows } = await pool.query<{ id: string }>('SELECT id FROM jobs.job ORDER BY accepted_order')
      return rows.map(({ id }) => id)
    },
    async keyCount(): Promise<number> {
      return (await pool.query('SELECT FROM jobs.idempotency_key')).rowCount ?? 0
    },
  }
}
