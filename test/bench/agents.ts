/**
 * `npm run bench -- agents [streams]`: the cost of idle agent streams for the process that serves them, and how fast
 * one of them gets a push.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import { createApi } from '../harness/api.ts'
import type { LightAgent } from '../harness/light-agent.ts'
import { makePdf } from '../harness/pdf.ts'
import { type System, startSystem } from '../harness/system.ts'
import { addPrintingOrganization } from '../load/printing-computers.ts'
import { rssBytes } from './cpu.ts'
import { connectIdleAgents } from './idle-agents.ts'
import type { Processes } from './jobs.ts'
import { percentiles, printTable } from './report.ts'

/** So many of the streams get jobs, one after the other: the rest stays idle. */
const PUSHED_STREAMS = 20
const PUSHES = 400
/** Two heartbeats, in which the garbage of the hellos is collected. */
const IDLE_MS = 40_000

export async function benchAgents(streams: number, processes: Processes): Promise<void> {
  console.log('starting …')
  const system = await startSystem({ together: processes === 'one' })
  const agents: LightAgent[] = []
  try {
    const devices = system.pids.devices ?? system.pids.platen ?? 0
    const arrivedAt = new Map<string, number>()
    const printers: { key: string; printerId: string }[] = []
    for (let n = 0; n < PUSHED_STREAMS; n++) {
      const onPrint = (jobId: string) => void arrivedAt.set(jobId, performance.now())
      const { key, printerId, agent } = await addPrintingOrganization(system, { onPrint })
      agents.push(agent)
      printers.push({ key, printerId })
    }
    const before = await rssBytes(devices)
    const startedAt = performance.now()
    const idle = streams - PUSHED_STREAMS
    // Live, because the virtual test computers of `npm start` take those of test organizations.
    const addCredential = async () => (await system.addLiveComputer(uuidv7())).credential
    agents.push(...(await connectIdleAgents(system, idle, addCredential)))
    const seconds = (performance.now() - startedAt) / 1000
    console.log(`waiting ${IDLE_MS / 1000} s …`)
    await sleep(IDLE_MS)
    const after = await rssBytes(devices)
    console.log(`${PUSHES} pushes …`)
    const pushMs = await measurePushes(system, printers, arrivedAt)
    printTable({
      processes,
      streams,
      'streams opened a second': Math.round(idle / seconds),
      'KB a stream': Math.round((after - before) / idle / 1024),
      'RSS MB of the process': Math.round(after / 1024 / 1024),
      ...percentiles('create to agent', pushMs),
    })
  } finally {
    for (const agent of agents) agent.close()
    await system.stop()
  }
}

/** One job at a time, from the moment before its request to the moment when its agent has it. */
async function measurePushes(
  { baseUrl }: System,
  printers: { key: string; printerId: string }[],
  arrivedAt: Map<string, number>,
): Promise<number[]> {
  const content = makePdf('Bench').toString('base64')
  const pushMs: number[] = []
  for (let n = 0; n < PUSHES; n++) {
    const { key, printerId } = printers[n % printers.length] ?? { key: '', printerId: '' }
    const startedAt = performance.now()
    const job = { printerId, title: 'Bench', contentType: 'pdf_base64', content }
    const { id } = await createApi(baseUrl, key).createJob(job)
    while (!arrivedAt.has(id)) await sleep(1)
    pushMs.push((arrivedAt.get(id) ?? Number.NaN) - startedAt)
  }
  return pushMs
}
