/**
 * `npm run bench -- jobs`: how many jobs a second walk from REST to `done` through all five states, how long a creation takes and how long
 * until the agent has the job at a paced 100/s, what each process computes for a job, and the floor in the same run.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { createApi } from '../harness/api.ts'
import { connectLightAgent, type LightAgent } from '../harness/light-agent.ts'
import { type System, startSystem } from '../harness/system.ts'
import { cpuMicroseconds } from './cpu.ts'
import { measureFloor } from './floor.ts'
import { cpuFigures, pace, percentiles, printTable } from './report.ts'

const AGENTS = 50
const CLIENTS = 16
/** More than clients, so that a paced creation never waits for an earlier one's connection. */
const CONNECTIONS = 64
const PACED_PER_SECOND = 100
const CONTENT = Buffer.from(`%PDF-1.7\n${'x'.repeat(2000)}`).toString('base64')

interface Target {
  key: string
  printerId: string
}

/** What happened to each job, by `performance.now()`. */
interface Watch {
  arrivedAt: Map<string, number>
  done: number
}

export async function benchJobs(seconds: number, mode: 'test' | 'live'): Promise<void> {
  console.log('starting …')
  // The load has test keys, and makes more than a day's 500 for each of its organizations.
  const system = await startSystem({ env: { PLATEN_TEST_JOBS_PER_DAY: '1000000' } })
  const watch: Watch = { arrivedAt: new Map(), done: 0 }
  // Costs less than `fetch`: what the clients compute is missing to the services.
  const gateway = new Pool(system.baseUrl, { connections: CONNECTIONS })
  const agents: LightAgent[] = []
  try {
    const targets: Target[] = []
    for (let n = 0; n < AGENTS; n++) {
      const { key, credential } = await system.addOrganization({ mode })
      agents.push(
        await connectLightAgent(system.agentAddress, credential, {
          onPrint: (jobId) => void watch.arrivedAt.set(jobId, performance.now()),
          onDone: () => void watch.done++,
        }),
      )
      targets.push({ key, printerId: (await createApi(system.baseUrl, key).printer('Bench')).id })
    }
    console.log(`warming up, ${seconds} s …`)
    await saturate(gateway, targets, watch, seconds)
    console.log(`as fast as ${CLIENTS} clients can, ${seconds} s …`)
    const cpuBefore = await readCpu(system)
    const full = await saturate(gateway, targets, watch, seconds)
    const cpuAfter = await readCpu(system)
    console.log(`paced at ${PACED_PER_SECOND}/s, ${seconds} s …`)
    const paced = await paceJobs(gateway, targets, watch, seconds)
    console.log(`the floor, ${seconds} s …`)
    const floor = await measureFloor(system.databaseUrl, seconds * 1000)

    printTable({
      'jobs/s to done': Math.round(full.perSecond),
      'floor jobs/s': Math.round(floor),
      'floor / jobs': Number((floor / full.perSecond).toFixed(2)),
      ...percentiles('create at 100/s', paced.createMs),
      ...percentiles('create to agent at 100/s', paced.toAgentMs),
      ...cpuFigures('job', cpuBefore, cpuAfter, full.jobs),
    })
  } finally {
    for (const agent of agents) agent.close()
    await gateway.close()
    await system.stop()
  }
}

/** This process is the clients and the agents. */
async function readCpu({ pids }: System): Promise<Record<string, number>> {
  const { user, system } = process.cpuUsage()
  return { ...(await cpuMicroseconds(pids)), 'clients and agents': user + system }
}

async function createJob(gateway: Pool, { key, printerId }: Target): Promise<string> {
  const { statusCode, body } = await gateway.request({
    path: '/v1/printjobs',
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ printerId, title: 'Bench', contentType: 'pdf_base64', content: CONTENT }),
  })
  const job = (await body.json()) as { id: string }
  if (statusCode !== 201) throw new Error(`a creation was answered with ${statusCode}: ${JSON.stringify(job)}`)
  return job.id
}

/** Closed loop: the rate counts until the last job is done. */
async function saturate(gateway: Pool, targets: Target[], watch: Watch, seconds: number) {
  const startedAt = performance.now()
  const doneBefore = watch.done
  let created = 0
  const client = async () => {
    while (performance.now() - startedAt < seconds * 1000) {
      await createJob(gateway, targets[created++ % targets.length] as Target)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  while (watch.done - doneBefore < created) await sleep(5)
  return { jobs: created, perSecond: (created / (performance.now() - startedAt)) * 1000 }
}

/** Each creation is measured from the time at which it is due. */
async function paceJobs(gateway: Pool, targets: Target[], watch: Watch, seconds: number) {
  const doneBefore = watch.done
  const created = await pace(PACED_PER_SECOND, seconds * PACED_PER_SECOND, async (dueAt, n) => {
    const id = await createJob(gateway, targets[n % targets.length] as Target)
    return { id, dueAt, createMs: performance.now() - dueAt }
  })
  while (watch.done - doneBefore < created.length) await sleep(5)
  return {
    createMs: created.map(({ createMs }) => createMs),
    toAgentMs: created.map(({ id, dueAt }) => (watch.arrivedAt.get(id) ?? Number.NaN) - dueAt),
  }
}
