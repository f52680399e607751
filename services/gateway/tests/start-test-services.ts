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
  type EnrollRequest,
  type ListPrintersRequest,
  type Printer,
  PrinterSchema,
} from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import {
  type CreateJobRequest,
  JobSchema,
  JobsService,
  type ListJobsRequest,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { PlanSchema, UsageService } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import { DeliveriesService } from '@platen/proto/gen/platen/webhooks/v1/deliveries_pb.ts'
import {
  EndpointsService,
  type RotateSecretRequest,
  type TestEndpointRequest,
} from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { EventsService } from '@platen/proto/gen/platen/webhooks/v1/events_pb.ts'
import { ApiError, type ErrorCode } from '@platen/runtime/errors.ts'
import { packPlace } from '@platen/runtime/paging.ts'
import { serveRpc } from '@platen/runtime/rpc/server.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { createTestProcess, type TestProcess } from '@platen/test/harness/test-process.ts'
import { onTestFinished } from 'vitest'
import { deliveriesState, testDeliveries } from './test-deliveries.ts'
import { makeEndpoint, testEndpoints } from './test-endpoints.ts'
import { eventsState, testEvents } from './test-events.ts'

export const ORGANIZATION_ID = '01890a5d-0000-7000-8000-000000000001'
export const COMPUTER_ID = '01890a5d-0000-7000-8000-000000000002'
const apiKeyId = (n: number) => `01890a5d-0000-7000-8001-${String(n).padStart(12, '0')}`
/** Of the first key. */
export const API_KEY_ID = apiKeyId(1)
export const PRINTER_ID = '01890a5d-0000-7000-8000-000000000003'
export const UPGRADE_URL = 'https://print.example/billing'
/** The one that there is. */
export const ENROLLMENT_TOKEN = `platen_enroll_${'t'.repeat(43)}`
export const AGENT_CREDENTIAL = `platen_agent_${'c'.repeat(43)}`
export const AT = new Date('2026-01-02T03:04:05.678Z')

export type TestServices = Awaited<ReturnType<typeof startTestServices>>

export async function startTestServices() {
  const directory = await mkdtemp(join(tmpdir(), 'platen-gateway-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const rpcSecret = 'a secret of the test installation'
  /** By the hex of its SHA-256. */
  const keys = new Map<string, { id: string; mode: Mode; scopes: string[]; organizationId: string }>()
  const state = {
    printers: [makePrinter()],
    computers: [] as Computer[],
    /** Of the printers' computer. */
    os: 'linux',
    createdJobs: [] as CreateJobRequest[],
    /** Calls, each for one key or several. */
    verifications: 0,
    pageRequests: [] as ListPrintersRequest['page'][],
    listedJobs: [] as ListJobsRequest[],
    events: eventsState(),
    /** What CreateJob waits for before it answers. */
    holdCreation: () => Promise.resolve(),
    /** What CreateJob fails with. */
    createJobError: undefined as ErrorCode | undefined,
    plan: create(PlanSchema, { name: 'self-hosted' }),
    planLookUps: 0,
    enrollmentLookUps: 0,
    enrolled: [] as EnrollRequest[],
    /** What Enroll says of the token. */
    enrollError: undefined as string | undefined,
    /** What ClaimIdempotencyKey does. */
    claimKey: (): Record<string, never> => ({}),
    /** What ReleaseIdempotencyKey does. */
    releaseKey: (): { jobId?: string } => ({}),
    endpoints: [makeEndpoint()],
    ...deliveriesState(),
    rotations: [] as RotateSecretRequest[],
    endpointTests: [] as TestEndpointRequest[],
    /** What CreateEndpoint, UpdateEndpoint and TestEndpoint fail with. */
    endpointError: undefined as ErrorCode | undefined,
    /** What DNS knows: of each host its addresses. */
    hosts: { 'files.example.com': ['93.184.216.34'] } as Record<string, string[]>,
  }

  const accounts: Partial<ServiceImpl<typeof AccountsService>> = {
    verifyApiKeys({ keySha256 }) {
      state.verifications++
      const createdAt = timestampFromDate(AT)
      const facts = { name: 'CI', prefix: 'platen_', createdAt }
      return {
        verified: keySha256.flatMap((hash) => {
          const known = keys.get(Buffer.from(hash).toString('hex'))
          if (!known) return []
          const organization = { id: known.organizationId, name: 'Test Ltd', createdAt }
          return [{ keySha256: hash, organization, apiKey: { ...known, ...facts } }]
        }),
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
  function findComputer(computerId: string) {
    const found = state.computers.find(({ id }) => id === computerId)
    if (!found) throw new ApiError('not_found', 'There is no computer with this id.')
    return found
  }
  const devices: Partial<ServiceImpl<typeof DevicesService>> = {
    getPrinter: ({ mode, ...ids }) => ({ printer: findPrinter(ids, (printer) => printer.mode === mode) }),
    resolvePrinter(ids) {
      const { computerId, mode, enabled, defaultOptions, customPapers, capabilities } = findPrinter(ids)
      return { computerId, mode, enabled, defaultOptions, customPapers, capabilities, os: state.os }
    },
    updatePrinter({ mode, remarks, customPapers, displayName, enabled, defaultOptions, ...ids }) {
      const printer = findPrinter(ids, (one) => one.mode === mode)
      if (remarks) printer.remarks = remarks.text
      if (customPapers) printer.customPapers = customPapers.papers
      printer.displayName = displayName ?? printer.displayName
      printer.enabled = enabled ?? printer.enabled
      printer.defaultOptions = defaultOptions ?? printer.defaultOptions
      return { printer }
    },
    listPrinters({ page, computerId }) {
      state.pageRequests.push(page)
      if (computerId !== undefined) findComputer(computerId)
      return page?.after ? {} : { printers: state.printers, end: endOf(state.printers) }
    },
    getComputer: ({ computerId }) => ({ computer: findComputer(computerId) }),
    deleteComputer({ computerId }) {
      findComputer(computerId)
      return {}
    },
    createEnrollment({ maxUses, expiresInSeconds }) {
      const expiresAt = timestampFromDate(new Date(AT.getTime() + expiresInSeconds * 1000))
      return { id: COMPUTER_ID, token: 'platen_enroll_x', expiresAt, maxUses }
    },
    findEnrollments({ tokenSha256 }) {
      state.enrollmentLookUps++
      const known = createHash('sha256').update(ENROLLMENT_TOKEN).digest()
      return { tokenSha256: tokenSha256.filter((hash) => known.equals(hash)) }
    },
    enroll(request) {
      state.enrolled.push(request)
      if (state.enrollError) throw new ApiError('unauthorized', state.enrollError)
      return { computerId: COMPUTER_ID, credential: AGENT_CREDENTIAL }
    },
    listComputers: () => ({ computers: state.computers, end: endOf(state.computers) }),
    countComputers: ({ mode }) => ({ count: state.computers.filter((computer) => computer.mode === mode).length }),
  }
  const jobs: Partial<ServiceImpl<typeof JobsService>> = {
    async createJob(request) {
      state.createdJobs.push(request)
      await state.holdCreation()
      if (state.createJobError) throw new ApiError(state.createJobError, 'scripted')
      return { job: acceptedJob(request) }
    },
    getJob({ jobId }) {
      const request = state.createdJobs.find((job) => job.jobId === jobId)
      if (!request) throw new ApiError('not_found', 'There is no print job with this id.')
      return { job: acceptedJob(request) }
    },
    listJobs(request) {
      state.listedJobs.push(request)
      const jobs = state.createdJobs.map(acceptedJob)
      return { jobs, end: endOf(jobs) }
    },
    cancelJob({ jobId }) {
      const request = state.createdJobs.find((job) => job.jobId === jobId)
      if (!request) throw new ApiError('not_found', 'There is no print job with this id.')
      return { job: Object.assign(acceptedJob(request), { state: 'cancelled' }) }
    },
    claimIdempotencyKey: () => state.claimKey(),
    releaseIdempotencyKey: () => state.releaseKey(),
    listJobEvents: () => ({
      events: [{ id: 'event-1', state: 'queued', actor: 'api', createdAt: timestampFromDate(AT) }],
    }),
    countTestJobsToday: () => ({ used: 7, resetsAt: timestampFromDate(AT) }),
  }

  const usage: Partial<ServiceImpl<typeof UsageService>> = {
    getPlan() {
      state.planLookUps++
      return { plan: state.plan }
    },
    getUsage: () => ({ periodStart: timestampFromDate(AT), periodEnd: timestampFromDate(AT), plan: state.plan }),
  }

  const ports = {
    accounts: await freePort(),
    devices: await freePort(),
    jobs: await freePort(),
    usage: await freePort(),
    webhooks: await freePort(),
  }
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
        if (name === 'usage') router.service(UsageService, usage)
        if (name === 'webhooks') {
          router.service(EventsService, testEvents(state.events))
          router.service(EndpointsService, testEndpoints(state))
          router.service(DeliveriesService, testDeliveries(state))
        }
      },
    })
    return service
  }

  return Object.assign(state, {
    start,
    startAll: () =>
      Promise.all([start('accounts'), start('devices'), start('jobs'), start('usage'), start('webhooks')]),
    config: {
      listen: { host: '127.0.0.1', port: 0 },
      rpcSecret,
      accountsUrl: url(ports.accounts),
      devicesUrl: url(ports.devices),
      jobsUrl: url(ports.jobs),
      usageUrl: url(ports.usage),
      webhooksUrl: url(ports.webhooks),
      upgradeUrl: UPGRADE_URL,
      agentPublicUrl: undefined as string | undefined,
      agentPort: 8090,
      fileStoreUrl: pathToFileURL(directory).href,
      hstsSeconds: 0,
      natsUrl: undefined as string | undefined,
      /** What a test does is not measured by the clock, but for those of the limit. */
      rateLimitPerSecond: 10_000,
      olderKeyPrefixes: ['older'],
      allowedNetworks: [],
    },
    directory,
    makeKey(
      mode: Mode = 'test',
      scopes = ['read', 'print', 'admin'],
      { prefix, organizationId = ORGANIZATION_ID }: { prefix?: string; organizationId?: string } = {},
    ) {
      const key = makeApiKey(mode, prefix)
      const id = apiKeyId(keys.size + 1)
      keys.set(createHash('sha256').update(key).digest('hex'), { id, mode, scopes, organizationId })
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

export function makePrinter(
  changes: Partial<Pick<Printer, 'organizationId' | 'mode' | 'enabled' | 'state'>> = {},
): Printer {
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

/** Of a list whose rows were all inserted by one transaction. */
export const PLACE = 7n

function endOf(rows: { id: string }[]) {
  const last = rows.at(-1)
  return { hasMore: false, place: last && packPlace({ place: PLACE, id: last.id }) }
}

function acceptedJob({ jobId, ...request }: CreateJobRequest) {
  return create(JobSchema, {
    id: jobId,
    organizationId: request.organizationId,
    mode: request.mode,
    printerId: request.printerId,
    computerId: request.computerId,
    title: request.title,
    // Of the original, which this service does not have.
    contentType: request.contentType || 'pdf_base64',
    source: request.source,
    qty: request.qty,
    options: request.options,
    expireAfterSeconds: request.expireAfterSeconds,
    expiresAt: timestampFromDate(AT),
    ...(request.storageKey === '' ? {} : { fileSizeBytes: request.fileSizeBytes, fileSha256: request.fileSha256 }),
    state: 'queued',
    createdAt: timestampFromDate(AT),
  })
}
