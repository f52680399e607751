/** An agent prints on a real CUPS, while `kill -9` ends the one or the other at random points. */
import { createHash } from 'node:crypto'
import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkHistory, type Violation } from '../checker/check-history.ts'
import { collectHistory, openDatabase, openNats } from '../checker/collect.ts'
import type { ClientCall, History, InjectedFault } from '../checker/history.ts'
import { QUEUES, startCups, type TestCups } from '../cups/start-cups.ts'
import { makePdf } from '../harness/pdf.ts'
import type { Restartable } from '../harness/restartable.ts'
import { startSystem } from '../harness/system.ts'
import { readAgent, startAgent } from './agents.ts'
import { type Recorder, request } from './client.ts'
import { startIppRecorder } from './ipp-recorder.ts'
import { waitForQuiet } from './quiet.ts'
import { type Random, seededRandom } from './random.ts'

export interface KillsOptions {
  agentKills: number
  cupsKills: number
  seed: number
  /** Until CUPS writes its state to disk: 0 as the guide of the agent advises; the default of CUPS is 30. */
  saveAfterSeconds?: number
  signal?: AbortSignal
  onProgress?: (line: string) => void
}

export interface KillsResult {
  history: History
  violations: Violation[]
  /** The folder with the logs and the journal, if there are violations. */
  evidence?: string
}

const CREATE_EVERY_MS = 250
/** From when the agent is connected, or its process started, to the kill. */
const LIVES_MAX_MS = 1_200
const UNCONNECTED_PERCENT = 20
const CUPS_AWAY_MAX_MS = 500
/** The default is 15 minutes. */
const PRINTING_TIMEOUT_SECONDS = 60
/** What CUPS or the agent still has to do after the kills. The printers take a second for each page. */
const END_WITHIN_MS = 300_000

export async function runKills(options: KillsOptions): Promise<KillsResult> {
  const { agentKills, cupsKills, seed, saveAfterSeconds = 0, signal, onProgress = () => undefined } = options
  await using started = new AsyncDisposableStack()
  onProgress('starting')
  const env = { PLATEN_PRINTING_TIMEOUT_SECONDS: String(PRINTING_TIMEOUT_SECONDS) }
  const [system, cups] = await Promise.all([
    startSystem({ together: true, env }).then((one) => started.adopt(one, () => one.stop())),
    startCups({ saveAfterSeconds }).then((one) => started.adopt(one, () => one.stop())),
  ])
  const [host = '', port] = cups.server.split(':')
  const recorder = started.adopt(await startIppRecorder({ host, port: Number(port) }), (one) => one.close())
  const { organizationId, computerId, key, credential } = await system.addOrganization({ mode: 'live' })
  const logs = join(system.directory, 'logs')
  const place = { name: 'agent', organizationId, computerId, directory: join(system.directory, 'agent') }
  const unexpectedEnds: string[] = []
  const agent = await startAgent({
    ...place,
    logFile: join(logs, 'agent.log'),
    config: { agentUrl: `http://${system.agentAddress}`, credential, spooler: 'system' },
    env: { CUPS_SERVER: recorder.address },
    onEnd: (how) => unexpectedEnds.push(`agent: ${how}`),
  })
  started.adopt(agent, () => agent.stop())

  const random = seededRandom(seed)
  const clients: Recorder = { calls: [], leaks: new Set(), foreignSecrets: () => [] }
  const client = { recorder: clients, organizationId, key, baseUrl: system.baseUrl }
  const over = new AbortController()
  const creating = createJobs(client, random.fork(), over.signal)
  const kills = random.shuffle([
    ...Array<() => Promise<InjectedFault>>(agentKills).fill(() => killAgent(agent, random)),
    ...Array<() => Promise<InjectedFault>>(cupsKills).fill(() => killCups(cups, random)),
  ])
  const faults: InjectedFault[] = []
  for (const kill of kills) {
    signal?.throwIfAborted()
    faults.push(await kill())
    if (faults.length % 10 === 0) onProgress(`${faults.length} of ${kills.length} kills`)
  }
  over.abort()
  await creating
  await agent.ready()

  const database = started.adopt(openDatabase(system.databaseUrl), (one) => one.end())
  const nats = started.adopt(await openNats(system.natsUrl, 'kills observer'), (one) => one.close())
  const stores = { database, nats, filesDirectory: join(system.directory, 'files') }
  onProgress(`waiting for the ends of ${clients.calls.length} jobs`)
  await waitForQuiet(stores, [{ ...place, logFile: join(logs, 'agent.log') }], END_WITHIN_MS)
  const history = await collectHistory(stores, {
    // Webhooks are not used; the others are the defaults.
    settings: {
      resendAfterMs: 60_000,
      resendsMax: 3,
      printingTimeoutMs: PRINTING_TIMEOUT_SECONDS * 1000,
      agentLostMs: 24 * 60 * 60_000,
      webhookGapsMs: [],
    },
    calls: clients.calls,
    spoolerCalls: recorder.spoolerCalls(computerId),
    faults,
    agents: [await readAgent({ ...place, logFile: join(logs, 'agent.log') })],
    unexpectedEnds: [...system.unexpectedEnds, ...unexpectedEnds],
  })
  const violations = checkHistory(history)
  if (violations.length === 0) return { history, violations }
  const evidence = await mkdtemp(join(tmpdir(), 'platen-kills-evidence-'))
  await cp(logs, join(evidence, 'logs'), { recursive: true })
  await cp(place.directory, join(evidence, 'agent'), { recursive: true, filter: (path) => !path.endsWith('.sock') })
  return { history, violations, evidence }
}

interface Client {
  recorder: Recorder
  organizationId: string
  key: string
  baseUrl: string
}

/** Mostly labels, which print fast, and some pages. */
async function createJobs(
  { recorder, baseUrl, ...tenant }: Client,
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  const { json } = await request(recorder, tenant, { baseUrl, path: '/v1/printers?limit=100', call: { kind: 'list' } })
  const printerId = (queue: string) => json?.data?.find(({ name }) => name === queue)?.id
  const raw = { printerId: printerId(QUEUES.raw), contentType: 'raw_base64' }
  const pdf = { printerId: printerId(QUEUES.laser), contentType: 'pdf_base64' }
  for (let number = 1; !signal.aborted; number++) {
    const title = `Kill ${number}`
    const [to, content] = random.chance(75) ? [raw, Buffer.from(`^XA^FD${title}^FS^XZ`)] : [pdf, makePdf(title)]
    const contentSha256 = createHash('sha256').update(content).digest('hex')
    const call: Omit<ClientCall, 'organizationId' | 'startedAtMs' | 'namedIds'> = {
      kind: 'create',
      marker: title,
      contentSha256,
    }
    const body = JSON.stringify({ ...to, title, content: content.toString('base64') })
    await request(recorder, tenant, { baseUrl, path: '/v1/printjobs', body, call })
    await sleep(CREATE_EVERY_MS)
  }
}

async function killAgent(agent: Restartable, random: Random): Promise<InjectedFault> {
  if (!random.chance(UNCONNECTED_PERCENT)) await agent.ready()
  await sleep(random.integer(0, LIVES_MAX_MS))
  const startedAtMs = Date.now()
  void agent.kill()
  return { kind: 'kill -9', target: 'agent', startedAtMs, endedAtMs: startedAtMs }
}

async function killCups(cups: TestCups, random: Random): Promise<InjectedFault> {
  await sleep(random.integer(0, LIVES_MAX_MS))
  const startedAtMs = Date.now()
  await cups.kill()
  await sleep(random.integer(0, CUPS_AWAY_MAX_MS))
  await cups.start()
  return { kind: 'kill -9', target: 'cupsd', startedAtMs, endedAtMs: Date.now() }
}
