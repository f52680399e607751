/** The services behind the gateway: real servers that answer what a test puts into them. */
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { ServiceImpl } from '@connectrpc/connect'
import { type Mode, makeApiKey } from '@platen/accounts/api-key.ts'
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import {
  type Computer,
  DevicesService,
  type ListPrintersRequest,
  type Printer,
  PrinterSchema,
} from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { type CreateJobRequest, JobSchema, JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError, type ErrorCode } from '@platen/runtime/errors.ts'
import { serveRpc } from '@platen/runtime/rpc/server.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { createTestProcess, type TestProcess } from '@platen/test/harness/test-process.ts'
import { onTestFinished } from 'vitest'

export const ORGANIZATION_ID = '01890a5d-0000-7000-8000-000000000001'
export const COMPUTER_ID = '01890a5d-0000-7000-8000-000000000002'
export const PRINTER_ID = '01890a5d-0000-7000-8000-000000000003'
export const AT = new Date('2026-01-02T03:04:05.678Z')

export type TestServices = Awaited<ReturnType<typeof startTestServices>>

export async function startTestServices() {
  const directory = await mkdtemp(join(tmpdir(), 'platen-gateway-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const rpcSecret = 'a secret of the test installation'
  /** By the hex of its SHA-256. */
  const keys = new Map<string, { mode: Mode; scopes: string[]; organizationId: string }>()
  const state = {
    printers: [makePrinter()],
    computers: [] as Computer[],
    createdJobs: [] as CreateJobRequest[],
    verifications: 0,
    pageRequests: [] as ListPrintersRequest['page'][],
    /** What CreateJob fails with. */
    createJobError: undefined as ErrorCode | undefined,
    /** What ClaimIdempotencyKey does. */
    claimKey: (): Record<string, never> => ({}),
    /** What ReleaseIdempotencyKey does. */
    releaseKey: (): { jobId?: string } => ({}),
  }

  const accounts: Partial<ServiceImpl<typeof AccountsService>> = {
    verifyApiKey({ keySha256 }) {
      state.verifications++
      const known = keys.get(Buffer.from(keySha256).toString('hex'))
      if (!known) throw new ApiError('unauthorized', 'The API key is not valid.')
      const createdAt = timestampFromDate(AT)
      return {
        organization: { id: known.organizationId, name: 'Test Ltd', createdAt },
        apiKey: { ...known, id: 'key-1', name: 'CI', prefix: 'platen_', createdAt },
      }
    },
  }
  function findPrinter(
    ids: { organizationId: string; printerId: string },
    is: (printer: Printer) => boolean = () => true,
  ) {
    const found = state.printers.find(
      (one) => one.id === ids.printerId && one.organizationId === ids.organizationId && is(one),
    )
    if (!found) throw new ApiError('not_found', 'There is no printer with this id.')
    return found
  }
  const devices: Partial<ServiceImpl<typeof DevicesService>> = {
    getPrinter: ({ mode, ...ids }) => ({ printer: findPrinter(ids, (printer) => printer.mode === mode) }),
    resolvePrinter(ids) {
      const { computerId, mode, enabled } = findPrinter(ids)
      return { computerId, mode, enabled }
    },
    listPrinters({ page }) {
      state.pageRequests.push(page)
      return { printers: page?.after ? [] : state.printers, hasMore: false }
    },
    getComputer({ computerId }) {
      const computer = state.computers.find(({ id }) => id === computerId)
      if (!computer) throw new ApiError('not_found', 'There is no computer with this id.')
      return { computer }
    },
    listComputers: () => ({ computers: state.computers, hasMore: false }),
  }
  const jobs: Partial<ServiceImpl<typeof JobsService>> = {
    createJob(request) {
      state.createdJobs.push(request)
      if (state.createJobError) throw new ApiError(state.createJobError, 'scripted')
      return { job: acceptedJob(request) }
    },
    getJob({ jobId }) {
      const request = state.createdJobs.find((job) => job.jobId === jobId)
      if (!request) throw new ApiError('not_found', 'There is no print job with this id.')
      return { job: acceptedJob(request) }
    },
    claimIdempotencyKey: () => state.claimKey(),
    releaseIdempotencyKey: () => state.releaseKey(),
    listJobEvents: () => ({
      events: [{ id: 'event-1', state: 'queued', actor: 'api', createdAt: timestampFromDate(AT) }],
    }),
  }

  const ports = { accounts: await freePort(), devices: await freePort(), jobs: await freePort() }
  const url = (port: number) => `http://127.0.0.1:${port}`
  async function start(name: keyof typeof ports): Promise<TestProcess> {
    const service = createTestProcess(name)
    onTestFinished(() => service.stop())
    await serveRpc(service, {
      listen: { host: '127.0.0.1', port: ports[name] },
      secret: rpcSecret,
      ready: () => Promise.resolve(),
      routes(router) {
        if (name === 'accounts') router.service(AccountsService, accounts)
        if (name === 'devices') router.service(DevicesService, devices)
        if (name === 'jobs') router.service(JobsService, jobs)
      },
    })
    return service
  }

  return Object.assign(state, {
    start,
    startAll: () => Promise.all([start('accounts'), start('devices'), start('jobs')]),
    config: {
      listen: { host: '127.0.0.1', port: 0 },
      rpcSecret,
      accountsUrl: url(ports.accounts),
      devicesUrl: url(ports.devices),
      jobsUrl: url(ports.jobs),
      fileStoreUrl: pathToFileURL(directory).href,
    },
    directory,
    makeKey(mode: Mode = 'test', scopes = ['read', 'print', 'admin'], organizationId = ORGANIZATION_ID) {
      const key = makeApiKey(mode)
      keys.set(createHash('sha256').update(key).digest('hex'), { mode, scopes, organizationId })
      return key
    },
    revokeKeys: () => keys.clear(),
    /** Paths of all files in the store, also of unfinished ones. */
    async storedFiles(): Promise<string[]> {
      const entries = await readdir(directory, { recursive: true, withFileTypes: true })
      return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    },
  })
}

export function makePrinter(changes: Partial<Pick<Printer, 'organizationId' | 'mode' | 'enabled'>> = {}): Printer {
  return create(PrinterSchema, {
    id: PRINTER_ID,
    organizationId: ORGANIZATION_ID,
    mode: 'test',
    computerId: COMPUTER_ID,
    name: 'Laser',
    osName: 'laser',
    description: 'A4 laser',
    displayName: 'Front desk',
    enabled: true,
    state: 'online',
    capabilities: {
      papers: [
        { name: 'A4', size: { width: 2100, height: 2970 } },
        { name: 'Roll', size: { width: 800 } },
      ],
      dpis: ['600x600'],
      duplex: true,
      copies: 99,
      nup: [1, 2],
    },
    createdAt: timestampFromDate(AT),
    updatedAt: timestampFromDate(AT),
    ...changes,
  })
}

function acceptedJob({ jobId, ...request }: CreateJobRequest) {
  return create(JobSchema, {
    id: jobId,
    organizationId: request.organizationId,
    mode: request.mode,
    printerId: request.printerId,
    computerId: request.computerId,
    title: request.title,
    contentType: request.contentType,
    source: request.source,
    qty: request.qty,
    options: request.options,
    expireAfterSeconds: request.expireAfterSeconds,
    expiresAt: timestampFromDate(AT),
    fileSizeBytes: request.fileSizeBytes,
    fileSha256: request.fileSha256,
    state: 'queued',
    createdAt: timestampFromDate(AT),
  })
}
