/** One run: start, load and faults, heal, wait, collect, check. Leaves nothing running. */
import { cp, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkHistory, type Violation } from '../checker/check-history.ts'
import { collectHistory, openDatabase, openNats, type Stores } from '../checker/collect.ts'
import type { ClientCall, History, InjectedFault } from '../checker/history.ts'
import { findLeaks, readFiles, readTables } from '../checker/secrets.ts'
import { readAgent, readSpoolerCalls } from './agents.ts'
import { type ChaosSystem, startChaosSystem } from './chaos-system.ts'
import type { Recorder } from './client.ts'
import { planFaults } from './fault-plan.ts'
import { injectFaults } from './faults.ts'
import { startListener } from './listen.ts'
import { runLoad } from './load.ts'
import { waitForQuiet } from './quiet.ts'

export interface SeedOptions {
  seed: number
  /** Of load and faults. */
  seconds: number
  /** See `ChaosOptions`. */
  together: boolean
  /** Ends the run early with an error. */
  signal?: AbortSignal
  onProgress?: (stage: string) => void
}

export interface SeedResult {
  history: History
  violations: Violation[]
  /** The folder with the history and the logs, if there are violations. */
  evidence?: string
}

/** From the release of a job to its completion. The seed decides how many jobs are on paper when a fault happens. */
const PRINT_MS = [50, 200, 1_000]

/** Shorter than the defaults of 60 s, 30 s and 27 h, which are longer than a run. */
const RESEND_AFTER_SECONDS = 5
const WEBHOOK_GAPS_SECONDS = [1, 1, 2, 2, 2, 2, 2]
const ENVIRONMENT = {
  PLATEN_RESEND_AFTER_SECONDS: String(RESEND_AFTER_SECONDS),
  PLATEN_REPUBLISH_AFTER_SECONDS: '5',
  PLATEN_WEBHOOK_RETRY_GAPS: WEBHOOK_GAPS_SECONDS.join(','),
  PLATEN_WEBHOOK_LEASE_SECONDS: '30',
  PLATEN_TEST_JOBS_PER_DAY: '1000000',
}
/** Every fifth seed gives jobs and agents up during its faults. By default this takes longer than a run. */
const IMPATIENT = {
  PLATEN_PRINTING_TIMEOUT_SECONDS: '4',
  PLATEN_AGENT_LOST_SECONDS: '2',
  PLATEN_OFFLINE_GRACE_SECONDS: '1',
  PLATEN_HEARTBEAT_SECONDS: '1',
}
const isImpatient = (seed: number) => seed % 5 === 0

function settingsOf(seed: number): History['settings'] {
  return {
    resendAfterMs: RESEND_AFTER_SECONDS * 1000,
    resendsMax: 3,
    printingTimeoutMs: isImpatient(seed) ? Number(IMPATIENT.PLATEN_PRINTING_TIMEOUT_SECONDS) * 1000 : 15 * 60_000,
    agentLostMs: isImpatient(seed) ? Number(IMPATIENT.PLATEN_AGENT_LOST_SECONDS) * 1000 : 24 * 60 * 60_000,
    webhookGapsMs: WEBHOOK_GAPS_SECONDS.map((seconds) => seconds * 1000),
  }
}

/** A killed process takes some seconds to start, on a busy machine a minute. */
const HEAL_WITHIN_MS = 90_000
/** Four resends, the time to notice a dead connection, and two pauses of an endpoint. */
const QUIET_WITHIN_MS = 120_000

export async function runSeed(options: SeedOptions): Promise<SeedResult> {
  const { seed, together, onProgress = () => undefined } = options
  onProgress('starting')
  const env = { ...ENVIRONMENT, ...(isImpatient(seed) ? IMPATIENT : {}) }
  const printMs = PRINT_MS[seed % PRINT_MS.length] ?? 0
  await using started = new AsyncDisposableStack()
  const chaos = await startChaosSystem({ seed, together, env, printMs }, started)
  try {
    const history = await makeHistory(chaos, { ...options, onProgress })
    const violations = checkHistory(history)
    if (violations.length === 0) return { history, violations }
    return { history, violations, evidence: await keepEvidence(chaos, { history, violations }) }
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw new Error(`The run failed. Its logs: ${await keepEvidence(chaos, {})}`, { cause: error })
  }
}

async function makeHistory(chaos: ChaosSystem, options: SeedOptions & { onProgress: (stage: string) => void }) {
  const { seed, onProgress } = options
  const { system, tenants, receiver } = chaos
  await using opened = new AsyncDisposableStack()
  const database = openDatabase(system.databaseUrl)
  opened.defer(() => database.end())
  const nats = await openNats(system.natsUrl, 'chaos observer')
  opened.defer(() => nats.close())
  const listener = await startListener(system.natsUrl)
  opened.defer(() => listener.stop())
  const stores = { database, nats, filesDirectory: join(system.directory, 'files') }

  const { calls, leaks, faults } = await loadUnderFaults(chaos, stores, options)
  onProgress('healing')
  await withLimit(HEAL_WITHIN_MS, 'heal', chaos.heal())
  onProgress('waiting until the system is idle')
  const agents = tenants.map(({ place }) => place)
  const busy = await waitForQuiet(stores, agents, QUIET_WITHIN_MS)
  onProgress(busy === '' ? 'checking' : `checking, although there are ${busy}`)
  leaks.push(...(await searchLeaks(chaos, stores, listener.messages)))
  return await collectHistory(stores, {
    settings: settingsOf(seed),
    calls,
    leaks,
    faults,
    spoolerCalls: (await Promise.all(agents.map(readSpoolerCalls))).flat(),
    heardEvents: listener.heardEvents,
    agents: await Promise.all(agents.map(readAgent)),
    endpoints: tenants.flatMap(({ endpoints }) => endpoints),
    receivedWebhooks: receiver.received,
    unexpectedEnds: chaos.unexpectedEnds,
  })
}

async function loadUnderFaults(
  { system, tenants, victims }: ChaosSystem,
  { database }: Stores,
  { seed, seconds, together, signal, onProgress = () => undefined }: SeedOptions,
): Promise<{ calls: ClientCall[]; leaks: string[]; faults: InjectedFault[] }> {
  const plan = planFaults(seed, { windowMs: seconds * 1000, together })
  onProgress(`load and ${plan.length} faults`)
  const recorder: Recorder = {
    calls: [],
    leaks: new Set(),
    foreignSecrets: (own) => tenants.filter((one) => one.organizationId !== own).flatMap(({ secrets }) => secrets),
  }
  const burstsAfterMs = plan.map(({ startAfterMs, burstBeforeMs }) => startAfterMs - burstBeforeMs)
  const ending = new AbortController()
  const ended = signal ? AbortSignal.any([ending.signal, signal]) : ending.signal
  const load = runLoad({ seed, baseUrls: system.baseUrls, tenants, recorder, database, burstsAfterMs }, ended)
  const injected = injectFaults(victims, plan, ended)
  try {
    const window = Promise.all([injected, sleep(seconds * 1000, undefined, { signal })])
    await withLimit(seconds * 1000 + HEAL_WITHIN_MS, 'end the faults', Promise.race([window, load]))
  } finally {
    ending.abort()
    await withLimit(HEAL_WITHIN_MS, 'end the load', Promise.allSettled([load, injected]))
  }
  signal?.throwIfAborted()
  await load
  return { calls: recorder.calls, leaks: [...recorder.leaks], faults: await injected }
}

/** Contents may be in the file store, and a credential and contents in the directory of their own agent. */
async function searchLeaks({ system, tenants }: ChaosSystem, { database }: Stores, messages: string[]) {
  const all = tenants.flatMap(({ secrets }) => secrets)
  const inFolder = (folder: string) => readFiles(join(system.directory, folder))
  async function* heard(): AsyncGenerator<[string, Buffer]> {
    yield ['messages of NATS', Buffer.from(messages.join('\n'))]
  }
  const leaks = await Promise.all([
    findLeaks(heard(), all),
    findLeaks(readTables(database), all),
    findLeaks(inFolder('logs'), all),
    findLeaks(inFolder('nats'), all),
    findLeaks(
      inFolder('files'),
      all.filter(({ name }) => !name.startsWith('contents')),
    ),
    ...tenants.map(({ place, secrets }) =>
      findLeaks(
        readFiles(place.directory),
        all.filter((one) => !secrets.includes(one) || one.name.startsWith('key')),
      ),
    ),
  ])
  return leaks.flat()
}

async function withLimit<T>(limitMs: number, what: string, work: Promise<T>): Promise<T> {
  const over = new AbortController()
  const late = sleep(limitMs, undefined, { signal: over.signal }).then(() => {
    throw new Error(`the system did not ${what} within ${limitMs / 1000} s`)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    over.abort()
    late.catch(() => undefined)
  }
}

async function keepEvidence({ system }: ChaosSystem, files: Record<string, unknown>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-chaos-evidence-'))
  await cp(join(system.directory, 'logs'), join(folder, 'logs'), { recursive: true })
  for (const [name, content] of Object.entries(files))
    await writeFile(join(folder, `${name}.json`), JSON.stringify(content, null, 1))
  return folder
}
