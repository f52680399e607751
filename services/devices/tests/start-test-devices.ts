import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fromJson, type JsonValue, type MessageInitShape } from '@bufbuild/protobuf'
import { startJobs } from '@platen/jobs/service.ts'
import { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { DeviceChangedSchema } from '@platen/proto/gen/platen/events/v1/events_pb.ts'
import { type CreateJobRequestSchema, JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { Clock } from '@platen/runtime/clock.ts'
import { BY_INDEX, patientConnection } from '@platen/runtime/database/connection-settings.ts'
import type { PublicNetwork } from '@platen/runtime/fetch/public-network.ts'
import { openFileStore } from '@platen/runtime/file-store/open-file-store.ts'
import { connectRpc } from '@platen/runtime/rpc/client.ts'
import { createDatabase } from '@platen/test/harness/database.ts'
import { DEVICES_DURATIONS, JOBS_DURATIONS } from '@platen/test/harness/durations.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { startTestNats } from '@platen/test/harness/nats.ts'
import { createTestClock } from '@platen/test/harness/test-clock.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { untilBlocked } from '@platen/test/harness/until-blocked.ts'
import { Pool, type QueryResult, type QueryResultRow } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { onTestFinished } from 'vitest'
import { createPresence } from '../presence.ts'
import { startDevices } from '../service.ts'
import { sweepLost } from '../timers/sweep-lost.ts'
import { sweepPresence } from '../timers/sweep-presence.ts'
import { sweepPrinterStates } from '../timers/sweep-printer-states.ts'

export const SECRET = 'a secret of the test installation'
/** A busy machine takes its time to connect an agent. Less than the deadline of a call. */
const TEST_COMPUTER_WITHIN_MS = 4_000

/**
 * The jobs service and as many replicas of devices as asked, on real servers, with a clock for presence that the test moves.
 *
 * @param mode of the organization's computers, printers and jobs; live computers are enrolled by a token.
 */
interface TestDevicesOptions {
  replicas?: number
  mode?: string
  /** That jobs fetches documents from. */
  network?: PublicNetwork
  /** Instead of a directory of its own. */
  fileStore?: { url: string }
  printingTimeoutMs?: number
  /** Of the jobs service. */
  jobsClock?: Clock
  /** Instead of that of devices, which then hears nothing of what jobs announces. */
  jobsNatsUrl?: string
}

export async function startTestDevices({
  replicas = 1,
  mode = 'test',
  network,
  fileStore,
  printingTimeoutMs = JOBS_DURATIONS.printingTimeoutMs,
  jobsClock,
  jobsNatsUrl,
}: TestDevicesOptions = {}) {
  const [databaseUrl, nats, directory] = await Promise.all([
    createDatabase(),
    startTestNats(),
    mkdtemp(join(tmpdir(), 'platen-files-')),
  ])
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const fileStoreUrl = fileStore?.url ?? pathToFileURL(directory).href
  const clock = createTestClock(new Date())
  const organizationId = uuidv7()

  const rpc = async () => ({ listen: { host: '127.0.0.1', port: await freePort() }, secret: SECRET })
  const jobsRpc = await rpc()
  const jobsUrl = `http://127.0.0.1:${jobsRpc.listen.port}`
  async function startJobsService() {
    const process = createTestProcess('jobs')
    onTestFinished(() => process.stop())
    const config = {
      rpc: jobsRpc,
      databaseUrl,
      natsUrl: jobsNatsUrl ?? nats.url,
      fileStoreUrl,
      fetchKey: randomBytes(32),
      allowedNetworks: [],
      ...JOBS_DURATIONS,
      printingTimeoutMs,
      testJobsPerDay: 500,
    }
    await startJobs(process, config, jobsClock, network)
    return process
  }
  let jobsProcess = await startJobsService()

  async function startReplica() {
    const service = createTestProcess('devices')
    onTestFinished(() => service.stop())
    const devicesRpc = await rpc()
    const agentAddress = `127.0.0.1:${await freePort()}`
    await startDevices(
      service,
      { rpc: devicesRpc, databaseUrl, natsUrl: nats.url, jobsUrl, fileStoreUrl, agentAddress, ...DEVICES_DURATIONS },
      clock,
      { testComputerWithinMs: TEST_COMPUTER_WITHIN_MS },
    )
    return { service, agentAddress, url: `http://127.0.0.1:${devicesRpc.listen.port}` }
  }
  const started = await Promise.all(Array.from({ length: replicas }, startReplica))
  const client = createTestProcess('test')
  onTestFinished(() => client.stop())
  const files = await openFileStore(client, fileStoreUrl)
  const devices = connectRpc(client, DevicesService, { url: started[0]?.url ?? '', secret: SECRET })
  const jobs = connectRpc(client, JobsService, { url: jobsUrl, secret: SECRET })
  // With the plans that the service's statements have.
  const { options } = patientConnection('test-devices', BY_INDEX)
  const pool = new Pool({ connectionString: databaseUrl, options })
  onTestFinished(() => pool.end())
  /** The relays of the replicas look for it by themselves. */
  const writing = { pool, clock, eventsAdded: () => undefined }
  return {
    clock,
    devices,
    jobs,
    organizationId,
    databaseUrl,
    pool,
    natsUrl: nats.url,
    urls: started.map(({ url }) => url),
    agentAddresses: started.map(({ agentAddress }) => agentAddress),
    query: <Row extends QueryResultRow>(sql: string): Promise<QueryResult<Row>> => pool.query<Row>(sql),
    stopReplica: (n: number) => started[n]?.service.stop(),
    startReplica,
    stopJobs: () => jobsProcess.stop(),
    async startJobsAgain() {
      jobsProcess = await startJobsService()
    },
    removeDocuments: () => rm(directory, { recursive: true }),
    /** One byte of each is another one. */
    async damageDocuments() {
      const entries = await readdir(directory, { recursive: true, withFileTypes: true })
      for (const { parentPath, name } of entries.filter((entry) => entry.isFile())) {
        const path = join(parentPath, name)
        const content = await readFile(path)
        content.writeUInt8(content.readUInt8(0) ^ 1)
        await writeFile(path, content)
      }
    },
    async enroll() {
      if (mode === 'test') return await devices.enrollTestComputer({ organizationId })
      const { token } = await devices.createEnrollment({ organizationId, maxUses: 1, expiresInSeconds: 900 })
      return await devices.enroll({ token, name: 'Front desk' })
    },
    /** Of one more replica, written only when it is told to. */
    createPresence: () => createPresence(writing),
    /** One look for computers that are away, by the specification's limits. */
    sweepPresence: () => sweepPresence(writing, { graceMs: 30_000, silentMs: 60_000 }),
    /** One look for printers whose state is another one for long enough. */
    sweepPrinterStates: () => sweepPrinterStates(writing, DEVICES_DURATIONS.printerStateMs),
    /** All that was told of computers and printers since the beginning, in the order of the outbox: nobody here confirms it. */
    async events() {
      const { rows } = await pool.query<{ payload: JsonValue }>('SELECT payload FROM devices.outbox ORDER BY id')
      return rows.map(({ payload }) => fromJson(DeviceChangedSchema, payload))
    },
    /** One look for agents that are lost, which leaves to another look what that one has in hand. */
    sweepLost: (at: Clock = clock) => sweepLost({ pool, clock: at, jobs }, DEVICES_DURATIONS.agentLostMs),
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
    /** So many statements wait for somebody's lock. */
    waitsForLock: (count: number) => untilBlocked(pool, count),
    async epoch() {
      const { rows } = await pool.query<{ epoch: string }>('SELECT epoch FROM devices.computer')
      return Number(rows[0]?.epoch)
    },
    async computer() {
      const { computers } = await devices.listComputers({ organizationId, mode, page: { limit: 1 } })
      return computers[0]
    },
    /** The oldest first; asked for from the newest on, for a page from the oldest on waits for writers of other databases too. */
    async printers() {
      const { printers } = await devices.listPrinters({
        organizationId,
        mode,
        page: { limit: 100 },
      })
      return printers.toReversed()
    },
    /** A job whose document is `content`. @returns its id */
    async createJob(
      printer: { id: string; computerId: string },
      content = '%PDF-1.7',
      facts: MessageInitShape<typeof CreateJobRequestSchema> = {},
    ) {
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
        mode,
        printerId: printer.id,
        computerId: printer.computerId,
        title: 'Invoice',
        contentType: 'pdf_base64',
        source: 'api',
        qty: 1,
        expireAfterSeconds: 3600,
        storageKey,
        fileSizeBytes: BigInt(content.length),
        fileSha256: createHash('sha256').update(content).digest('hex'),
        actor: 'api',
        ...facts,
      })
      return jobId
    },
    async job(jobId: string) {
      return (await jobs.getJob({ jobId, organizationId, mode })).job
    },
    async stateOf(jobId: string) {
      return (await jobs.getJob({ jobId, organizationId, mode })).job?.state
    },
  }
}
