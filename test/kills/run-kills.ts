/** One run: the services, a CUPS, an agent between them, jobs all the while, and `kill -9` after `kill -9`. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FINAL_STATES } from '../chaos/checker/facts.ts'
import { type Random, seededRandom } from '../chaos/random.ts'
import { QUEUES, startCups, type TestCups } from '../cups/start-cups.ts'
import { createApi } from '../harness/api.ts'
import { makePdf } from '../harness/pdf.ts'
import { startSystem } from '../harness/system.ts'
import { startIppRecorder } from './ipp-recorder.ts'
import { type EndedJob, judge, type Violation } from './judge.ts'
import { createKillableAgent, type KillableAgent } from './killable-agent.ts'
import { releasesOf } from './releases.ts'

export interface KillsOptions {
  agentKills: number
  cupsKills: number
  seed: number
  /** Until CUPS writes down what it knows: 0 is at once, as the agent's guide advises; CUPS itself waits for 30 s. */
  saveAfterSeconds?: number
  signal?: AbortSignal
  onProgress?: (line: string) => void
}

export interface KillsResult {
  jobs: EndedJob[]
  agentKills: number
  cupsKills: number
  seconds: number
  /** How often a job was released again since CUPS had not answered the first time. */
  repeatedReleases: number
  violations: Violation[]
  /** Of a run with violations: the agent's data directory, with its log. */
  evidence?: string
}

const CREATE_EVERY_MS = 250

/** From when the agent is connected, or its process started, until it is killed. */
const LIVES_MAX_MS = 1_200
const UNCONNECTED_PERCENT = 20
const CUPS_AWAY_MAX_MS = 500

/** Instead of the specification's 15 minutes. */
const PRINTING_TIMEOUT_SECONDS = '60'

/** What CUPS or the agent may still have to do when the kills are over; the printers take a second for each page. */
const END_WITHIN_MS = 300_000

export async function runKills(options: KillsOptions): Promise<KillsResult> {
  const { agentKills, cupsKills, seed, saveAfterSeconds = 0, signal, onProgress = () => undefined } = options
  const startedAt = performance.now()
  const stops: (() => Promise<unknown>)[] = []
  const starting = async <Part>(part: Promise<Part>, stop: (part: Part) => Promise<unknown>) => {
    const started = await part
    stops.push(() => stop(started))
    return started
  }
  try {
    onProgress('starting …')
    const system = await starting(
      startSystem({ env: { PLATEN_PRINTING_TIMEOUT_SECONDS: PRINTING_TIMEOUT_SECONDS } }),
      (part) => part.stop(),
    )
    const cups = await starting(startCups({ saveAfterSeconds }), (part) => part.stop())
    const [host = '', port] = cups.server.split(':')
    const recorder = await starting(startIppRecorder({ host, port: Number(port) }), (part) => part.close())
    let violations: Violation[] = []
    const dataDir = await starting(mkdtemp(join(tmpdir(), 'platen-kills-')), async (dir) => {
      if (violations.length === 0) await rm(dir, { recursive: true })
    })
    const { key, credential } = await system.addOrganization({ mode: 'live' })
    const config = { agentUrl: `http://${system.agentAddress}`, credential, spooler: 'system' }
    const agent = createKillableAgent(dataDir, config, { CUPS_SERVER: recorder.address })
    stops.push(() => agent.kill())
    agent.start()
    await agent.connected()

    const api = createApi(system.baseUrl, key)
    const random = seededRandom(seed)
    const over = new AbortController()
    const jobIds: string[] = []
    const creating = createJobs(api, random.fork(), over.signal, jobIds)
    const kills = random.shuffle([
      ...Array<() => Promise<void>>(agentKills).fill(() => killAgent(agent, random)),
      ...Array<() => Promise<void>>(cupsKills).fill(() => killCups(cups, random)),
    ])
    for (const [index, kill] of kills.entries()) {
      signal?.throwIfAborted()
      await kill()
      if ((index + 1) % 10 === 0) onProgress(`${index + 1} of ${kills.length} kills, ${jobIds.length} jobs`)
    }
    over.abort()
    await creating
    onProgress(`waiting for the ends of ${jobIds.length} jobs …`)
    const jobs = await endsOf(api, jobIds, signal)
    const releases = releasesOf(recorder.calls)
    violations = judge(jobs, releases)
    return {
      jobs,
      agentKills,
      cupsKills,
      seconds: (performance.now() - startedAt) / 1000,
      repeatedReleases: [...releases.values()].filter(({ confirmed, unanswered }) => confirmed + unanswered > 1).length,
      violations,
      ...(violations.length > 0 && { evidence: dataDir }),
    }
  } finally {
    for (const stop of stops.toReversed()) await stop()
  }
}

type Api = ReturnType<typeof createApi>

/** Labels as bytes and pages as PDF, more of what is quick. */
async function createJobs(api: Api, random: Random, signal: AbortSignal, jobIds: string[]): Promise<void> {
  const raw = { printerId: (await api.printer(QUEUES.raw)).id, contentType: 'raw_base64' }
  const pdf = { printerId: (await api.printer(QUEUES.laser)).id, contentType: 'pdf_base64' }
  for (let number = 1; !signal.aborted; number++) {
    const title = `Kill ${number}`
    const [to, content] = random.chance(75) ? [raw, Buffer.from(`^XA^FD${title}^FS^XZ`)] : [pdf, makePdf(title)]
    const { id } = await api.createJob({ ...to, title, content: content.toString('base64') })
    jobIds.push(id)
    await sleep(CREATE_EVERY_MS)
  }
}

async function killAgent(agent: KillableAgent, random: Random): Promise<void> {
  if (!random.chance(UNCONNECTED_PERCENT)) await agent.connected()
  await sleep(random.integer(0, LIVES_MAX_MS))
  await agent.kill()
  agent.start()
}

async function killCups(cups: TestCups, random: Random): Promise<void> {
  await sleep(random.integer(0, LIVES_MAX_MS))
  await cups.kill()
  await sleep(random.integer(0, CUPS_AWAY_MAX_MS))
  await cups.start()
}

/** As they are once all have ended, or when there was time enough for it. */
async function endsOf(api: Api, jobIds: string[], signal?: AbortSignal): Promise<EndedJob[]> {
  const deadline = performance.now() + END_WITHIN_MS
  const jobs: EndedJob[] = []
  for (const id of jobIds) {
    let job = await api.getJob(id)
    while (!FINAL_STATES.includes(job.state) && performance.now() < deadline) {
      await sleep(250, undefined, { signal })
      job = await api.getJob(id)
    }
    jobs.push(job)
  }
  return jobs
}
