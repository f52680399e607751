/**
 * The clients and agents of `bench jobs`. What they compute is missing to the services, so they compute as little as
 * possible.
 */
import { PRINTERS_MAX } from '@platen/proto/agent-bounds.ts'
import { BATCH_LIMITS } from '@platen/resources/limits.ts'
import { Pool } from 'undici'
import { connectLightAgent, type LightAgent, WITH_PDF } from '../harness/light-agent.ts'
import type { System } from '../harness/system.ts'
import { waitFor } from '../harness/wait-for.ts'
import { runStatement } from './postgres.ts'
import { type Figures, percentiles, percentilesOfClient, runClients, runSteadily } from './report.ts'

export const CLIENTS = 16
/** A client of batches creates more jobs than all the others. */
const BATCH_CLIENTS = 2
/** More than clients, so that a steady creation never waits for an earlier one's connection. */
const CONNECTIONS = 64
/** Longer than the 60 s after which an unacknowledged job is sent again. */
const DONE_LIMIT_MS = 120_000
/** The document of a job of every peer, too. */
export const CONTENT = Buffer.from(`%PDF-1.7\n${'x'.repeat(2000)}`)
const CONTENT_BASE64 = CONTENT.toString('base64')

export interface LoadOptions {
  organizations: number
  /** The printers of each organization. Its computers have up to `PRINTERS_MAX` each. */
  printers: number
}

export interface Load {
  gateway: Pool
  organizationIds: string[]
  agents: LightAgent[]
  targets: { key: string; printerId: string }[]
  /** When each job reached its agent, by `performance.now()`. */
  arrivedAt: Map<string, number>
  created: number
  done: number
  batches: number
}

/** What a phase did. */
export interface Phase {
  jobs: number
  figures: Figures
}

/**
 * The organizations are live: the virtual test computers of `npm start` would take the computers of test organizations.
 */
export async function startLoad(system: System, { organizations, printers }: LoadOptions): Promise<Load> {
  const gateway = new Pool(system.baseUrl, { connections: CONNECTIONS })
  const arrivedAt = new Map<string, number>()
  const load: Load = {
    gateway,
    organizationIds: [],
    agents: [],
    targets: [],
    arrivedAt,
    created: 0,
    done: 0,
    batches: 0,
  }
  const keys = new Map<string, string>()
  const names = Array.from({ length: printers }, (_, n) => `Bench ${n}`)
  const connect = async (credential: string, first: number) => {
    const agent = await connectLightAgent(system.agentAddress, credential, {
      capabilities: WITH_PDF,
      printers: names.slice(first, first + PRINTERS_MAX),
      onPrint: (jobId) => void arrivedAt.set(jobId, performance.now()),
      onDone: () => void load.done++,
    })
    load.agents.push(agent)
  }
  for (let n = 0; n < organizations; n++) {
    const { organizationId, key, credential } = await system.addOrganization({ mode: 'live' })
    keys.set(organizationId, key)
    await connect(credential, 0)
    for (let first = PRINTERS_MAX; first < printers; first += PRINTERS_MAX)
      await connect((await system.addLiveComputer(organizationId)).credential, first)
  }
  load.organizationIds.push(...keys.keys())
  // Consecutive jobs are of different organizations.
  const rows = await runStatement<{ id: string; organization_id: string }>(
    system.databaseUrl,
    'SELECT id, organization_id FROM devices.printer ORDER BY os_name, organization_id',
  )
  load.targets.push(...rows.map(({ id, organization_id }) => ({ key: keys.get(organization_id) ?? '', printerId: id })))
  return load
}

export async function stopLoad({ agents, gateway }: Load): Promise<void> {
  for (const agent of agents) agent.close()
  await gateway.close()
}

/** Closed loop: the rate counts until the last job is done. */
export async function saturate(load: Load, seconds: number): Promise<Phase> {
  const startedAt = performance.now()
  const createdBefore = load.created
  await runClients(CLIENTS, seconds, () => createJob(load))
  await untilDone(load)
  const jobs = load.created - createdBefore
  return { jobs, figures: { 'jobs/s to done': Math.round((jobs / (performance.now() - startedAt)) * 1000) } }
}

/** Each creation is measured from the time at which it is due. */
export async function createSteadily(load: Load, perSecond: number, seconds: number): Promise<Phase> {
  const created = await runSteadily(perSecond, seconds * perSecond, async (dueAt) => {
    const lateMs = performance.now() - dueAt
    const id = await createJob(load)
    return { id, dueAt, lateMs, createMs: performance.now() - dueAt }
  })
  await untilDone(load)
  const createMs = created.map(({ createMs }) => createMs)
  const lateMs = created.map(({ lateMs }) => lateMs)
  const toAgentMs = created.map(({ id, dueAt }) => (load.arrivedAt.get(id) ?? Number.NaN) - dueAt)
  const figures = {
    ...percentiles(`create at ${perSecond}/s`, createMs),
    ...percentiles(`create to agent at ${perSecond}/s`, toAgentMs),
    ...percentilesOfClient(`create at ${perSecond}/s`, lateMs),
  }
  return { jobs: created.length, figures }
}

/** One client, which creates a job when the previous one is accepted. */
export async function createInTurn(load: Load, seconds: number): Promise<Phase> {
  const createMs: number[] = []
  await runClients(1, seconds, async () => {
    const startedAt = performance.now()
    await createJob(load)
    createMs.push(performance.now() - startedAt)
  })
  await untilDone(load)
  return { jobs: createMs.length, figures: percentiles('create by one client', createMs) }
}

/** Closed loop of jobs that are held, so that nothing follows their creation. */
export async function createHeld(load: Load, seconds: number): Promise<Phase> {
  let jobs = 0
  await runClients(CLIENTS, seconds, async () => {
    await createJob(load, { hold: true })
    // It is never done.
    load.done++
    jobs++
  })
  return { jobs, figures: {} }
}

/** Closed loop of the largest batches. */
export async function createBatches(load: Load, seconds: number, { hold }: { hold: boolean }): Promise<Phase> {
  let jobs = 0
  await runClients(BATCH_CLIENTS, seconds, async () => {
    const { key, printerId } = load.targets[load.batches++ % load.targets.length] ?? {}
    const all = Array.from({ length: BATCH_LIMITS.jobsMax }, () => ({ ...toBody(printerId), hold }))
    await post(load, '/v1/printjobs/batches', { key, idempotencyKey: `batch-${load.batches}`, body: { jobs: all } })
    load.created += all.length
    if (hold) load.done += all.length
    jobs += all.length
  })
  await untilDone(load)
  return { jobs, figures: {} }
}

const toBody = (printerId: string | undefined) => ({
  printerId,
  title: 'Bench',
  contentType: 'pdf_base64',
  content: CONTENT_BASE64,
})

/** With an `Idempotency-Key`, as the documentation advises. */
async function createJob(load: Load, facts: object = {}): Promise<string> {
  const { key, printerId } = load.targets[load.created++ % load.targets.length] ?? {}
  const idempotencyKey = `bench-${load.created}`
  return (await post(load, '/v1/printjobs', { key, idempotencyKey, body: { ...toBody(printerId), ...facts } })).id
}

interface Post {
  key: string | undefined
  idempotencyKey: string
  body: object
}

async function post({ gateway }: Load, path: string, { key, idempotencyKey, body }: Post): Promise<{ id: string }> {
  const response = await gateway.request({
    path,
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify(body),
  })
  const json = (await response.body.json()) as { id: string }
  if (response.statusCode !== 201)
    throw new Error(`a creation was answered with ${response.statusCode}: ${JSON.stringify(json)}`)
  return json
}

export async function untilDone(load: Load): Promise<void> {
  await waitFor(() => {
    if (load.done < load.created) throw new Error(`only ${load.done} of ${load.created} jobs are done`)
  }, DONE_LIMIT_MS)
}
