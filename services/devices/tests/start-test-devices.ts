import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startJobs } from '@platen/jobs/service.ts'
import { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { openFileStore } from '@platen/runtime/file-store/open-file-store.ts'
import { connectRpc } from '@platen/runtime/rpc/client.ts'
import { createDatabase } from '@platen/test/harness/database.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { startTestNats } from '@platen/test/harness/nats.ts'
import { createTestClock } from '@platen/test/harness/test-clock.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { Pool, type QueryResult, type QueryResultRow } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { onTestFinished } from 'vitest'
import { startDevices } from '../service.ts'

const SECRET = 'a secret of the test installation'

/** The jobs service and as many replicas of devices as asked, on real servers, with a clock for presence that the test moves. */
export async function startTestDevices({ replicas = 1 } = {}) {
  const [databaseUrl, nats, directory] = await Promise.all([
    createDatabase(),
    startTestNats(),
    mkdtemp(join(tmpdir(), 'platen-files-')),
  ])
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const fileStoreUrl = pathToFileURL(directory).href
  const clock = createTestClock(new Date())
  const organizationId = uuidv7()

  const rpc = async () => ({ listen: { host: '127.0.0.1', port: await freePort() }, secret: SECRET })
  const jobsRpc = await rpc()
  const jobsUrl = `http://127.0.0.1:${jobsRpc.listen.port}`
  const jobsProcess = createTestProcess('jobs')
  onTestFinished(() => jobsProcess.stop())
  await startJobs(jobsProcess, {
    rpc: jobsRpc,
    databaseUrl,
    natsUrl: nats.url,
    resendAfterMs: 60_000,
    republishAfterMs: 30_000,
    testJobsPerDay: 500,
  })

  const started = await Promise.all(
    Array.from({ length: replicas }, async () => {
      const service = createTestProcess('devices')
      onTestFinished(() => service.stop())
      const devicesRpc = await rpc()
      const agentAddress = `127.0.0.1:${await freePort()}`
      await startDevices(
        service,
        { rpc: devicesRpc, databaseUrl, natsUrl: nats.url, jobsUrl, fileStoreUrl, agentAddress },
        clock,
      )
      return { service, agentAddress, url: `http://127.0.0.1:${devicesRpc.listen.port}` }
    }),
  )
  const client = createTestProcess('test')
  onTestFinished(() => client.stop())
  const devices = connectRpc(client, DevicesService, { url: started[0]?.url ?? '', secret: SECRET })
  const jobs = connectRpc(client, JobsService, { url: jobsUrl, secret: SECRET })
  const files = openFileStore(fileStoreUrl)
  const pool = new Pool({ connectionString: databaseUrl })
  onTestFinished(() => pool.end())
  return {
    clock,
    devices,
    jobs,
    organizationId,
    agentAddresses: started.map(({ agentAddress }) => agentAddress),
    query: <Row extends QueryResultRow>(sql: string): Promise<QueryResult<Row>> => pool.query<Row>(sql),
    stopReplica: (n: number) => started[n]?.service.stop(),
    removeDocuments: () => rm(directory, { recursive: true }),
    enroll: () => devices.enrollTestComputer({ organizationId }),
    /** Nobody can change a printer until the returned function is called. */
    async lockPrinters() {
      const client = await pool.connect()
      await client.query('BEGIN')
      await client.query('SELECT FROM devices.printer FOR UPDATE')
      return async () => {
        await client.query('COMMIT')
        client.release()
      }
    },
    async epoch() {
      const { rows } = await pool.query<{ epoch: string }>('SELECT epoch FROM devices.computer')
      return Number(rows[0]?.epoch)
    },
    async computer() {
      const { computers } = await devices.listComputers({ organizationId, mode: 'test', page: { limit: 1 } })
      return computers[0]
    },
    async printers() {
      const { printers } = await devices.listPrinters({
        organizationId,
        mode: 'test',
        page: { limit: 100, ascending: true },
      })
      return printers
    },
    /** A job whose document is `content`. @returns its id */
    async createJob(printer: { id: string; computerId: string }, content = '%PDF-1.7') {
      const jobId = uuidv7()
      const storageKey = uuidv7()
      await files.write(
        storageKey,
        (async function* () {
          yield Buffer.from(content)
        })(),
      )
      await jobs.createJob({
        jobId,
        organizationId,
        mode: 'test',
        printerId: printer.id,
        computerId: printer.computerId,
        title: 'Invoice',
        contentType: 'pdf_base64',
        source: 'api',
        qty: 1,
        expireAfterSeconds: 3600,
        storageKey,
        fileSizeBytes: BigInt(content.length),
        fileSha256: 'ab'.repeat(32),
        actor: 'api',
      })
      return jobId
    },
    async stateOf(jobId: string) {
      const { job } = await jobs.getJob({ jobId, organizationId, mode: 'test' })
      return job?.state
    },
  }
}
