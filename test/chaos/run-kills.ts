/** An agent prints on a real CUPS, while `kill -9` ends the one or the other at random points. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { collectHistory } from '../checker/collect.ts'
import type { InjectedFault } from '../checker/history.ts'
import { QUEUES, startCups, type TestCups } from '../cups/start-cups.ts'
import { makePdf } from '../harness/pdf.ts'
import type { Restartable } from '../harness/restartable.ts'
import { startSystem } from '../harness/system.ts'
import { readAgent, startAgent } from './agents.ts'
import { type Recorder, request } from './client.ts'
import { startIppRecorder } from './ipp-recorder.ts'
import { waitForQuiet } from './quiet.ts'
import { type Random, seededRandom } from './random.ts'
import { checkRun, openStores, toSettings, type Verdict } from './verdict.ts'

export interface KillsOptions {
  agentKills: number
  cupsKills: number
  seed: number
  /** Until CUPS writes its state to disk: 0 as the guide of the agent advises; the default of CUPS is 30. */
  saveAfterSeconds?: number
  signal?: AbortSignal
  onProgress?: (line: string) => void
}

const CREATE_EVERY_MS = 250
/** From when the agent is connected, or its process started, to the kill. */
const LIVES_MAX_MS = 1_200
const UNCONNECTED_PERCENT = 20
const CUPS_AWAY_MAX_MS = 500
/** The default is 15 minutes. */
const ENVIRONMENT = { PLATEN_PRINTING_TIMEOUT_SECONDS: '60' }
/** What CUPS or the agent still has to do after the kills. The printers take a second for each page. */
const END_TIMEOUT_MS = 300_000

export async function runKills(options: KillsOptions): Promise<Verdict> {
  const { agentKills, cupsKills, seed, saveAfterSeconds = 0, signal, onProgress = () => undefined } = options
  await using started = new AsyncDisposableStack()
  onProgress('starting')
  const [system, cups] = await Promise.all([
    startSystem({ together: true, env: ENVIRONMENT }).then((one) => started.adopt(one, () => one.stop())),
    startCups({ saveAfterSeconds }).then((one) => started.adopt(one, () => one.stop())),
  ])
  const [host = '', port] = cups.server.split(':')
  const recorder = started.adopt(await startIppRecorder({ host, port: Number(port) }), (one) => one.close())
  const { organizationId, computerId, key, credential } = await system.addOrganization({ mode: 'live' })
  const at = (path: string) => join(system.directory, path)
  const files = { name: 'agent', organizationId, computerId, directory: at('agent'), logFile: at('logs/agent.log') }
  const agent = await startAgent({
    ...files,
    config: { agentUrl: `http://${system.agentAddress}`, credential, spooler: 'system' },
    env: { CUPS_SERVER: recorder.address },
    onEnd: (how) => system.unexpectedEnds.push(`agent: ${how}`),
  })
  started.adopt(agent, () => agent.stop())

  const random = seededRandom(seed)
  const clients: Recorder = { calls: [], leaks: new Set(), foreignSecrets: () => [] }
  const client = { recorder: clients, organizationId, key, baseUrl: system.baseUrl }
  const over = new AbortController()
  const creating = createJobs(client, random.fork(), over.signal)
  const kills = random.shuffle([
    ...Array.from({ length: agentKills }, () => () => killAgent(agent, random)),
    ...Array.from({ length: cupsKills }, () => () => killCups(cups, random)),
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

  const stores = openStores(system, started)
  onProgress(`waiting for the ends of ${clients.calls.length} jobs`)
  await waitForQuiet(stores, [files], END_TIMEOUT_MS)
  const history = await collectHistory(stores, {
    settings: toSettings(ENVIRONMENT),
    calls: clients.calls,
    spoolerCalls: recorder.spoolerCalls(computerId),
    faults,
    agents: [await readAgent(files)],
    unexpectedEnds: system.unexpectedEnds,
  })
  return await checkRun(system, history)
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
  const printerId = (queue: string) => [json?.data ?? []].flat().find(({ name }) => name === queue)?.id
  const raw = { printerId: printerId(QUEUES.raw), contentType: 'raw_base64' }
  const pdf = { printerId: printerId(QUEUES.laser), contentType: 'pdf_base64' }
  for (let number = 1; !signal.aborted; number++) {
    const title = `Kill ${number}`
    const [to, content] = random.chance(75) ? [raw, Buffer.from(`^XA^FD${title}^FS^XZ`)] : [pdf, makePdf(title)]
    const contentSha256 = createHash('sha256').update(content).digest('hex')
    const call = { kind: 'create', marker: title, contentSha256 } as const
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
