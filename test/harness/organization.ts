/** The isolated organization of a test in the world of its worker, with keys, computers and printers. */
import { createHash } from 'node:crypto'
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { JobCreationSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { v7 as uuidv7 } from 'uuid'
import { type Api, createApi } from './api.ts'
import { makePdf } from './pdf.ts'
import { getWorld, type World } from './world.ts'

export type Mode = 'live' | 'test'

export interface Organization {
  id: string
  world: World
  liveKey: string
  testKey: string
  /** Uses the live key, which has all scopes. */
  api: Api
  testApi: Api
  /** @returns the text of the key. */
  addKey(mode: Mode, scopes: string[], name?: string): Promise<string>
  /** A client with a key of these scopes. */
  apiWith(mode: Mode, scopes: string[]): Promise<Api>
  /** Enrolls a computer like an agent: live by a token, otherwise the test computer. */
  enroll(mode?: Mode, name?: string): Promise<{ computerId: string; credential: string }>
  /** Inserts a printer into the database. No agent reports it or prints on it. */
  addPrinter(mode?: Mode, facts?: PrinterFacts): Promise<{ id: string; computerId: string }>
  /** Creates a job with a document in the jobs service, without the gateway. */
  createJob(
    printer: { id: string; computerId: string },
    facts?: MessageInitShape<typeof JobCreationSchema>,
    content?: string,
  ): Promise<string>
  /** Creates a batch in the jobs service. @returns the ids of its jobs, in their order. */
  createBatch(
    printer: { id: string; computerId: string },
    jobs: MessageInitShape<typeof JobCreationSchema>[],
  ): Promise<string[]>
}

export interface PrinterFacts {
  computerId?: string
  name?: string
  enabled?: boolean
  state?: string
  capabilities?: Record<string, unknown>
}

/** Virtual printers refuse a damaged PDF. */
const DOCUMENT = makePdf('Hello').toString('latin1')

/** @param world default: the world of the worker. */
export async function newOrganization(world?: World, name = 'Corner shop'): Promise<Organization> {
  const there = world ?? (await getWorld())
  const { organization } = await there.accounts.createOrganization({ name })
  const id = organization?.id ?? ''
  const addKey = async (mode: Mode, scopes: string[], keyName: string = mode) =>
    (await there.accounts.createApiKey({ organizationId: id, name: keyName, mode, scopes })).key
  const [liveKey, testKey] = await Promise.all([
    addKey('live', ['read', 'print', 'admin']),
    addKey('test', ['read', 'print', 'admin']),
  ])
  const enroll = async (mode: Mode = 'live', computerName = 'Front desk') => {
    if (mode === 'test') return await there.devices.enrollTestComputer({ organizationId: id })
    const { token } = await there.devices.createEnrollment({ organizationId: id, maxUses: 1, expiresInSeconds: 900 })
    return await there.devices.enroll({ token, name: computerName })
  }
  const newId = () => uuidv7({ msecs: there.clock.now().getTime() })
  async function toCreation(
    printer: { id: string; computerId: string },
    facts: MessageInitShape<typeof JobCreationSchema>,
    content: string,
  ) {
    // Services read the time from these ids.
    const [jobId, storageKey] = [newId(), newId()]
    await there.files.write(storageKey, toChunks(content))
    const sha256 = createHash('sha256').update(content).digest('hex')
    return {
      jobId,
      organizationId: id,
      mode: 'live',
      printerId: printer.id,
      computerId: printer.computerId,
      title: 'Invoice',
      contentType: 'pdf_base64',
      source: 'api',
      qty: 1,
      expireAfterSeconds: 3600,
      actor: 'api',
      document: { case: 'stored' as const, value: { storageKey, sizeBytes: BigInt(content.length), sha256 } },
      ...facts,
    }
  }
  return {
    id,
    world: there,
    liveKey,
    testKey,
    api: createApi(there.gatewayUrl, liveKey),
    testApi: createApi(there.gatewayUrl, testKey),
    addKey,
    apiWith: async (mode, scopes) => createApi(there.gatewayUrl, await addKey(mode, scopes)),
    enroll,
    async addPrinter(mode = 'live', facts = {}) {
      const { name = 'Laser', enabled = true, state = 'online', capabilities = {} } = facts
      const computerId = facts.computerId ?? (await enroll(mode)).computerId
      const printerId = uuidv7()
      await there.query(
        `INSERT INTO devices.printer (id, computer_id, organization_id, mode, os_name, name, description, display_name,
           enabled, is_default, reported_state, state_detail, state_reasons, capabilities, default_options,
           custom_papers, created_at, updated_at)
         SELECT $1, id, organization_id, mode, $3, $3, '', $3, $4, false, $5, '', '{}', $6, '{}', '[]', $7, $7
         FROM devices.computer WHERE id = $2`,
        [printerId, computerId, name, enabled, state, JSON.stringify(capabilities), there.clock.now()],
      )
      return { id: printerId, computerId }
    },
    async createJob(printer, facts = {}, content = DOCUMENT) {
      const creation = await toCreation(printer, facts, content)
      const { results } = await there.jobs.createJobs({ creations: [creation] })
      if (results[0]?.result.case !== 'job')
        throw new Error(`job not created: ${JSON.stringify(results[0]?.result.value)}`)
      return creation.jobId
    },
    async createBatch(printer, jobs) {
      // The ids of a batch are in its order.
      const ids = jobs.map(newId).toSorted()
      const creations = await Promise.all(
        jobs.map((facts, n) => toCreation(printer, { jobId: ids[n], ...facts }, DOCUMENT)),
      )
      const { result } = await there.jobs.createBatch({ batchId: newId(), creations })
      if (result.case !== 'batch') throw new Error(`batch not created: ${JSON.stringify(result.value)}`)
      return ids
    },
  }
}

async function* toChunks(content: string) {
  yield Buffer.from(content)
}

/** A valid body of a job creation, with `changes`. */
export function printJob(printerId: string, changes: Record<string, unknown> = {}) {
  const content = makePdf('Hello').toString('base64')
  return { printerId, title: 'Invoice', contentType: 'pdf_base64', content, ...changes }
}
