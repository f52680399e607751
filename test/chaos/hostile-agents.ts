/**
 * `npm run test:long -- chaos --hostile-agents`: prints with one organization while three agents of other organizations
 * do what they can to disturb it, and compares with phases without them. Linux only.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Figures, medians, percentile, runSteadily } from '../bench/report.ts'
import type { Api } from '../harness/api.ts'
import { makePdf } from '../harness/pdf.ts'
import { peakRssBytes } from '../harness/peak-rss.ts'
import { type System, startSystem } from '../harness/system.ts'
import { waitFor } from '../harness/wait-for.ts'
import { followList } from '../load/follow-list.ts'
import { addPrintingOrganization } from '../load/printing-computers.ts'
import type { HostileOptions } from './be-hostile.ts'

const JOBS_PER_SECOND = 20
const ROUNDS = 3
const HOSTILE_AGENTS = 3
/** The jobs of each hostile organization, for reports about real jobs. */
const HOSTILE_JOBS = 10
/** Until the hostile agents are connected and send. */
const BEGIN_MS = 2_000
const DONE_LIMIT_MS = 60_000

const P99_GROWTH_MAX = 1.5
const LATE_MAX_MS = 5_000
const DEVICES_MAX_BYTES = 400 * 1024 * 1024

const BE_HOSTILE = new URL('be-hostile.ts', import.meta.url)

export interface HostileRun {
  figures: Figures
  /** Limits in the log of devices, with how often they were logged. */
  limits: Figures
  /** One sentence for each broken promise. */
  faults: string[]
}

/** @param seconds of each phase; there are six. */
export async function runHostileAgents(seconds: number, onProgress: (step: string) => void): Promise<HostileRun> {
  onProgress('starting')
  const system = await startSystem()
  try {
    const printing = await startPrinting(system)
    const credentials = await Promise.all(Array.from({ length: HOSTILE_AGENTS }, () => addHostile(system)))
    await printing.print(seconds)
    const [quiet, disturbed]: [Figures[], Figures[]] = [[], []]
    for (let round = 1; round <= ROUNDS; round++) {
      onProgress(`round ${round} of ${ROUNDS}`)
      quiet.push(await printing.print(seconds))
      const hostile = await beHostile({ address: system.agentAddress, credentials })
      disturbed.push(await printing.print(seconds))
      if (hostile.exitCode !== null) throw new Error('the hostile agents ended by themselves')
      hostile.kill('SIGKILL')
    }
    onProgress('waiting for the last events')
    const lateMs = await printing.waitForEvents()
    const [before = Number.NaN, during = Number.NaN] = [quiet, disturbed].map((phases) => medians(phases)['p99 ms'])
    const figures = {
      jobs: printing.jobs(),
      'creation to done p99 ms, quiet': before,
      'creation to done p99 ms, hostile agents': during,
      'growth of the p99, %': Math.round((during / before - 1) * 100),
      'latest event, ms': lateMs,
      'devices, peak MB': Math.round((await peakRssBytes(system.pids.devices ?? 0)) / 1024 / 1024),
    }
    const limits = await readLimits(system)
    return { figures, limits, faults: findFaults(figures, limits, system.unexpectedEnds) }
  } finally {
    await system.stop()
  }
}

function findFaults(figures: Figures, limits: Figures, unexpectedEnds: string[]): string[] {
  const faults = unexpectedEnds.map((end) => `A process ended: ${end}.`)
  const check = (name: string, max: number) => {
    if (!((figures[name] ?? Number.NaN) <= max)) faults.push(`${name}: ${figures[name]} is more than ${max}.`)
  }
  check('growth of the p99, %', Math.round((P99_GROWTH_MAX - 1) * 100))
  check('latest event, ms', LATE_MAX_MS)
  check('devices, peak MB', DEVICES_MAX_BYTES / 1024 / 1024)
  if (Object.keys(limits).length === 0) faults.push('The hostile agents met no limit.')
  return faults
}

/** The organization that prints. */
async function startPrinting(system: System) {
  const doneAt = new Map<string, number>()
  const { api, printerId } = await addPrintingOrganization(system, {
    onDone: (jobId) => void doneAt.set(jobId, performance.now()),
  })
  const content = makePdf('Chaos').toString('base64')
  const created: { id: string; dueAt: number }[] = []
  const feed = followDone(api)
  const untilDone = () =>
    waitFor(() => {
      const missing = created.filter(({ id }) => !doneAt.has(id)).length
      if (missing > 0) throw new Error(`${missing} jobs are not done`)
    }, DONE_LIMIT_MS)
  return {
    jobs: () => created.length,
    async print(seconds: number): Promise<Figures> {
      const jobs = await runSteadily(JOBS_PER_SECOND, seconds * JOBS_PER_SECOND, async (dueAt) => {
        const { id }: { id: string } = await api.createJob({
          printerId,
          title: 'Job',
          contentType: 'pdf_base64',
          content,
        })
        return { id, dueAt }
      })
      created.push(...jobs)
      await untilDone()
      return {
        'p99 ms': percentile(
          jobs.map(({ id, dueAt }) => (doneAt.get(id) ?? Number.NaN) - dueAt),
          99,
        ),
      }
    },
    /** @returns how late the latest event was. @throws if an event is missing. */
    async waitForEvents(): Promise<number> {
      await waitFor(() => {
        const missing = created.filter(({ id }) => !feed.lateMs.has(id)).length
        if (missing > 0) throw new Error(`${missing} jobs have no event printjob.done`)
      }, DONE_LIMIT_MS)
      await feed.stop()
      return Math.max(...feed.lateMs.values())
    },
  }
}

/** Follows the event feed. `lateMs` has, for each job, the time from its last event to the arrival of that event. */
function followDone(api: Api) {
  const lateMs = new Map<string, number>()
  const path = '/v1/events?dir=asc&limit=100&wait=5&type=printjob.done'
  const { stop } = followList<{ timestamp: string; data: { id: string } }>(api.get, path, ({ timestamp, data }) =>
    lateMs.set(data.id, Date.now() - Date.parse(timestamp)),
  )
  return { lateMs, stop }
}

/** A computer with jobs, so that its agent can report about real ones. @returns its credential. */
async function addHostile(system: System): Promise<string> {
  const { credential, api, printerId, agent } = await addPrintingOrganization(system)
  agent.close()
  const content = makePdf('Hostile').toString('base64')
  for (let n = 0; n < HOSTILE_JOBS; n++)
    await api.createJob({ printerId, title: 'Hostile', contentType: 'pdf_base64', content })
  return credential
}

async function beHostile(options: HostileOptions): Promise<ChildProcess> {
  const child = fork(BE_HOSTILE, [JSON.stringify(options)], { stdio: 'inherit' })
  await sleep(BEGIN_MS)
  return child
}

async function readLimits({ directory }: System): Promise<Figures> {
  const limits: Figures = {}
  for (const line of (await readFile(join(directory, 'logs/devices.log'), 'utf8')).split('\n')) {
    const [, limit] = /"limit":"([^"]+)"/.exec(line) ?? []
    if (limit !== undefined) limits[limit] = (limits[limit] ?? 0) + 1
  }
  return limits
}
