/** Jobs whose documents a real fetcher fetches, from a server of the test that stands for all hosts. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { create } from '@bufbuild/protobuf'
import {
  ClaimJobsRequestSchema,
  CreateJobRequestSchema,
  ReconcileComputerRequestSchema,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { createPublicNetwork } from '@platen/runtime/fetch/public-network.ts'
import { openFileStore } from '@platen/runtime/file-store/open-file-store.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { v7 as uuidv7 } from 'uuid'
import { onTestFinished } from 'vitest'
import { startFetcher } from '../fetches/fetcher.ts'
import { claimJobs } from '../rpc/claim-jobs.ts'
import { createJob } from '../rpc/create-job.ts'
import { reconcileComputer } from '../rpc/reconcile-computer.ts'
import { startTestJobs } from './start-test-jobs.ts'

/** Nobody listens there. */
const DOWN = ['93.184.216.35', '10.9.0.2']
/** Of the hosts of `example.com` that are not at the server's public address. */
const ADDRESSES: Record<string, string[]> = {
  inside: ['10.0.0.1'],
  allowed: ['10.9.0.1'],
  both: ['93.184.216.34', '10.9.0.1'],
  down: ['93.184.216.35'],
  'allowed-and-down': ['10.9.0.2'],
}

export interface NewFetch {
  host?: string
  contentType?: string
  organizationId?: string
  printerId?: string
  credentials?: { user: string; password: string }
}

export async function startTestFetches(answer: RequestListener, { deadlineMs = 30_000 } = {}) {
  const jobs = await startTestJobs()
  const directory = await mkdtemp(join(tmpdir(), 'platen-fetches-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const files = await openFileStore(createTestProcess('files'), pathToFileURL(directory).href)
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const network = createPublicNetwork({
    allowed: [{ address: '10.9.0.0', prefixLength: 16 }],
    resolve: async (host) => ADDRESSES[host.split('.')[0] ?? ''] ?? ['93.184.216.34'],
    dial: (addresses, _port, signal) =>
      connect({ host: '127.0.0.1', port: addresses.some((address) => DOWN.includes(address)) ? 1 : port, signal }),
  })
  const computerId = uuidv7()
  const organizationId = uuidv7()
  await reconcileComputer(jobs, create(ReconcileComputerRequestSchema, { computerId, epoch: 1n }))

  return {
    jobs,
    computerId,
    files,
    async storedFiles(): Promise<string[]> {
      const entries = await readdir(directory, { recursive: true, withFileTypes: true })
      return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    },
    readStored: (path: string) => readFile(path, 'latin1'),
    /** Another replica. */
    startFetcher() {
      const service = createTestProcess('jobs')
      onTestFinished(() => service.stop())
      jobs.fetchesAdded = startFetcher(service, jobs, { network, files, vault: jobs.vault, deadlineMs })
      return service
    },
    /** As the gateway asks for it. */
    async create({ host = 'files.example.com', contentType = 'pdf_uri', credentials, ...facts }: NewFetch = {}) {
      const jobId = uuidv7()
      const request = create(CreateJobRequestSchema, {
        jobId,
        organizationId,
        mode: 'test',
        printerId: uuidv7(),
        computerId,
        title: 'Invoice',
        contentType,
        source: 'api',
        qty: 1,
        options: {},
        expireAfterSeconds: 86_400,
        actor: 'api',
        fetch: { url: `http://${host}/secret-path?token=secret-token`, credentials },
        ...facts,
      })
      const { job } = await createJob(jobs, request)
      if (!job) throw new Error('no job was made')
      return job
    },
    async reprint(reprintOf: string, facts: { organizationId?: string; mode?: string } = {}) {
      const request = create(CreateJobRequestSchema, {
        jobId: uuidv7(),
        organizationId,
        mode: 'test',
        printerId: uuidv7(),
        computerId,
        title: 'Again',
        source: 'api',
        qty: 1,
        options: {},
        expireAfterSeconds: 86_400,
        actor: 'api',
        reprintOf,
        ...facts,
      })
      return (await createJob(jobs, request)).job
    },
    async row(jobId: string): Promise<Record<string, unknown>> {
      const { rows } = await jobs.pool.query('SELECT * FROM jobs.job WHERE id = $1', [jobId])
      return rows[0]
    },
    async heldFetches(): Promise<number> {
      return (await jobs.pool.query('SELECT FROM jobs.document_fetch')).rowCount ?? 0
    },
    async claim(): Promise<string[]> {
      const claims = [{ computerId, epoch: 1n, limit: 100, queuedOnly: true }]
      const answer = await claimJobs(jobs, create(ClaimJobsRequestSchema, { claims }))
      return answer.jobs.map(({ jobId }) => jobId)
    },
  }
}
