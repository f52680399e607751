/** The clients and agents of `bench jobs`. What they compute is missing to the services, so they compute as little as possible. */
import { Pool } from 'undici'
import { createApi } from '../harness/api.ts'
import { connectLightAgent, type LightAgent } from '../harness/light-agent.ts'
import type { System } from '../harness/system.ts'
import { waitFor } from '../harness/wait-for.ts'
import { type Figures, percentiles, runSteadily } from './report.ts'

const AGENTS = 50
export const CLIENTS = 16
/** More than clients, so that a steady creation never waits for an earlier one's connection. */
const CONNECTIONS = 64
export const STEADY_PER_SECOND = 100
/** Longer than the 60 s after which an unacknowledged job is sent again. */
const DONE_LIMIT_MS = 120_000
const CONTENT = Buffer.from(`%PDF-1.7\n${'x'.repeat(2000)}`).toString('base64')

/** Each agent is the only computer of an organization of its own. */
export interface Load {
  gateway: Pool
  agents: LightAgent[]
  targets: { key: string; printerId: string }[]
  /** When each job reached its agent, by `performance.now()`. */
  arrivedAt: Map<string, number>
  created: number
  done: number
}

/** What a phase did. */
export interface Phase {
  jobs: number
  figures: Figures
}

/** The organizations are live: the virtual test computers of `npm start` would take the computers of test organizations. */
export async function startLoad(system: Pick<System, 'baseUrl' | 'agentAddress' | 'addOrganization'>): Promise<Load> {
  const gateway = new Pool(system.baseUrl, { connections: CONNECTIONS })
  const load: Load = { gateway, agents: [], targets: [], arrivedAt: new Map(), created: 0, done: 0 }
  while (load.agents.length < AGENTS) {
    const { key, credential } = await system.addOrganization({ mode: 'live' })
    const agent = await connectLightAgent(system.agentAddress, credential, {
      onPrint: (jobId) => void load.arrivedAt.set(jobId, performance.now()),
      onDone: () => void load.done++,
    })
    load.agents.push(agent)
    load.targets.push({ key, printerId: (await createApi(system.baseUrl, key).printer('Bench')).id })
  }
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
  const client = async () => {
    while (performance.now() - startedAt < seconds * 1000) await createJob(load)
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  await untilDone(load)
  const jobs = load.created - createdBefore
  return { jobs, figures: { 'jobs/s to done': Math.round((jobs / (performance.now() - startedAt)) * 1000) } }
}

/** Each creation is measured from the time at which it is due. */
export async function createSteadily(load: Load, seconds: number): Promise<Phase> {
  const created = await runSteadily(STEADY_PER_SECOND, seconds * STEADY_PER_SECOND, async (dueAt) => {
    const id = await createJob(load)
    return { id, dueAt, createMs: performance.now() - dueAt }
  })
  await untilDone(load)
  const createMs = created.map(({ createMs }) => createMs)
  const toAgentMs = created.map(({ id, dueAt }) => (load.arrivedAt.get(id) ?? Number.NaN) - dueAt)
  const figures = {
    ...percentiles(`create at ${STEADY_PER_SECOND}/s`, createMs),
    ...percentiles(`create to agent at ${STEADY_PER_SECOND}/s`, toAgentMs),
  }
  return { jobs: created.length, figures }
}

async function createJob(load: Load): Promise<string> {
  const { key, printerId } = load.targets[load.created++ % load.targets.length] ?? {}
  const { statusCode, body } = await load.gateway.request({
    path: '/v1/printjobs',
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ printerId, title: 'Bench', contentType: 'pdf_base64', content: CONTENT }),
  })
  const job = (await body.json()) as { id: string }
  if (statusCode !== 201) throw new Error(`a creation was answered with ${statusCode}: ${JSON.stringify(job)}`)
  return job.id
}

async function untilDone(load: Load): Promise<void> {
  await waitFor(() => {
    if (load.done < load.created) throw new Error(`only ${load.done} of ${load.created} jobs are done`)
  }, DONE_LIMIT_MS)
}
