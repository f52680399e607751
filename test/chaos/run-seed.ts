/** One run of chaos from start to verdict. Called by `main.ts` for each seed; whatever happens, nothing is left running. */
import { once } from 'node:events'
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkHistory } from './checker/check-history.ts'
import type { Violation } from './checker/violation.ts'
import { collectHistory } from './collect.ts'
import { connectObserver } from './collect-nats.ts'
import { type PlannedFault, planFaults } from './fault-plan.ts'
import { injectFaults } from './faults.ts'
import type { History } from './history.ts'
import { startListener } from './listen.ts'
import { type PreparedLoad, prepareLoad } from './load.ts'
import { openDatabase } from './observer.ts'
import { waitForQuiet } from './quiet.ts'
import type { ChaosSystem } from './system/chaos-system.ts'
import { type DocumentServer, startDocumentServer } from './system/document-server.ts'
import { type Hooks, startHooks } from './system/hooks.ts'
import { startChaosSystem } from './system/start-system.ts'

export interface SeedOptions {
  replicas: 1 | 2
  seconds: number
  /** Path of a module that plants a bug. */
  plant?: string
  /** Where the history and the logs of a seed go, for a failed one or, with `keep`, for each. */
  evidenceFolder: string
  keep: boolean
  /** Ends the run early; it then rejects once nothing of it is running. */
  signal: AbortSignal
  /** Hears what the run is at. */
  onStage: (stage: string) => void
}

export interface SeedResult {
  seed: number
  jobs: number
  faults: number
  violations: Violation[]
  seconds: number
  /** The folder of this seed. */
  evidence?: string
}

const TENANTS = 2

/** From a job's release to its completion. How many jobs are on paper when a fault happens depends on it, so it differs from seed to seed. */
const PRINT_MS = [50, 200, 1_000]

/** The defaults are 60 s and 30 s, more than a run has. Jobs are sent again 3 times (specification, "Delivery"). */
const RESEND_AFTER_SECONDS = 5
const REPUBLISH_AFTER_SECONDS = 5
/** The default is 30 s. For so long and 15 s more nobody else takes over what a killed replica was fetching. */
const FETCH_TIMEOUT_SECONDS = 5
/** The default takes 27 hours. As many attempts as there, so that two failures in a row are not the last. */
const WEBHOOK_GAPS_SECONDS = [1, 1, 2, 2, 2, 2, 2]
/** The least. The default is 45 s. */
const WEBHOOK_LEASE_SECONDS = 30
const ENVIRONMENT = {
  PLATEN_WEBHOOK_RETRY_GAPS: WEBHOOK_GAPS_SECONDS.join(','),
  PLATEN_WEBHOOK_LEASE_SECONDS: String(WEBHOOK_LEASE_SECONDS),
  PLATEN_RESEND_AFTER_SECONDS: String(RESEND_AFTER_SECONDS),
  PLATEN_REPUBLISH_AFTER_SECONDS: String(REPUBLISH_AFTER_SECONDS),
  PLATEN_FETCH_TIMEOUT_SECONDS: String(FETCH_TIMEOUT_SECONDS),
  // The load has test keys, and makes more than a day's 500.
  PLATEN_TEST_JOBS_PER_DAY: '1000000',
}

/**
 * After how long jobs and agents are given up. By default that takes longer than a run, which so sees whatever stays stuck; every fifth
 * seed gives them up within what faults last, and sees what comes of those that are back.
 */
const LONG_PATIENCE = { printingSeconds: 15 * 60, lostSeconds: 24 * 60 * 60 }
const SHORT_PATIENCE = { printingSeconds: 2, lostSeconds: 2, graceSeconds: 1, heartbeatSeconds: 1 }
const patienceOf = (seed: number) => (seed % 5 === 0 ? SHORT_PATIENCE : LONG_PATIENCE)

function environmentOf(seed: number): Record<string, string> {
  if (patienceOf(seed) === LONG_PATIENCE) return ENVIRONMENT
  return {
    ...ENVIRONMENT,
    PLATEN_PRINTING_TIMEOUT_SECONDS: String(SHORT_PATIENCE.printingSeconds),
    PLATEN_AGENT_LOST_SECONDS: String(SHORT_PATIENCE.lostSeconds),
    PLATEN_OFFLINE_GRACE_SECONDS: String(SHORT_PATIENCE.graceSeconds),
    PLATEN_HEARTBEAT_SECONDS: String(SHORT_PATIENCE.heartbeatSeconds),
  }
}

function settingsOf(seed: number): History['settings'] {
  const { printingSeconds, lostSeconds } = patienceOf(seed)
  return {
    resendAfterMs: RESEND_AFTER_SECONDS * 1000,
    resendsMax: 3,
    printingTimeoutMs: printingSeconds * 1000,
    agentLostMs: lostSeconds * 1000,
    webhookGapsMs: WEBHOOK_GAPS_SECONDS.map((seconds) => seconds * 1000),
  }
}

/** The last fault may begin with the window's end, and a killed part takes some seconds to be ready, on a busy machine a minute. */
const FAULTS_END_WITHIN_MS = 90_000
const HEAL_WITHIN_MS = 90_000
/**
 * The lease of a fetch that was interrupted, four rounds of sending again, and the time that a part may take to notice a dead
 * connection; and, which is longer, the two rests of an endpoint that could not be reached, nor by the first try after it.
 */
const QUIET_WITHIN_MS = 120_000

export async function runSeed(seed: number, options: SeedOptions): Promise<SeedResult> {
  const startedAt = performance.now()
  const { replicas, plant, onStage } = options
  onStage('starting')
  await using running = new AsyncDisposableStack()
  const documents = await openDocuments(running, onStage)
  const hooks = await startHooks(seed)
  running.defer(() => hooks.stop())
  const system = await startChaosSystem({
    replicas,
    tenants: TENANTS,
    env: { ...environmentOf(seed), ...hooks.env, PLATEN_ALLOWED_NETWORKS: networksOf(hooks, documents) },
    hooks,
    printMs: PRINT_MS[seed % PRINT_MS.length],
    ...(plant ? { plant } : {}),
  })
  running.defer(() => system.stop())
  const history = await makeHistory(system, { documents, hooks }, seed, options).catch(async (error: unknown) => {
    if (!options.signal.aborted) await keepLogs(system, evidenceOf(seed, options))
    throw error
  })
  onStage('checking')
  const violations = checkHistory(history)
  const isKept = violations.length > 0 || options.keep
  const evidence = isKept ? await keepEvidence(system, history, violations, options) : undefined
  return {
    seed,
    jobs: history.database.jobs.length,
    faults: history.faults.length,
    violations,
    seconds: (performance.now() - startedAt) / 1000,
    ...(evidence ? { evidence } : {}),
  }
}

async function openDocuments(
  running: AsyncDisposableStack,
  onStage: SeedOptions['onStage'],
): Promise<DocumentServer | undefined> {
  const documents = await startDocumentServer()
  if (typeof documents === 'string')
    return void onStage(`without jobs that name a URL, for lack of a server: ${documents}`)
  running.defer(() => documents.stop())
  return documents
}

const networksOf = ({ env }: Hooks, documents: DocumentServer | undefined) =>
  [env.PLATEN_ALLOWED_NETWORKS, ...(documents ? [documents.network] : [])].join(',')

async function makeHistory(
  system: ChaosSystem,
  { documents, hooks }: { documents: DocumentServer | undefined; hooks: Hooks },
  seed: number,
  { seconds, onStage, signal }: SeedOptions,
): Promise<History> {
  await using opened = new AsyncDisposableStack()
  const database = openDatabase(system.databaseUrl)
  opened.defer(() => database.end())
  const nats = await connectObserver(system.natsUrl, 'chaos observer')
  opened.defer(() => nats.close())
  const listener = await startListener(system.natsUrl)
  opened.defer(() => listener.stop())

  const plan = planFaults(seed, seconds * 1000)
  const prepared = await prepareLoad(system, database, { seed, documents })
  onStage(`load and ${plan.length} faults`)
  const { load, faults } = await loadUnderFaults(system, prepared, { plan, windowMs: seconds * 1000, signal })
  onStage('healing')
  await within(HEAL_WITHIN_MS, 'the system did not heal', system.heal())
  onStage('waiting for quiet')
  const quiet = await waitForQuiet(system, database, nats, QUIET_WITHIN_MS)
  onStage(quiet.reached ? `quiet after ${(quiet.waitedMs / 1000).toFixed(1)} s` : `not quiet: ${quiet.moving}`)
  return await collectHistory(system, database, nats, {
    seed,
    settings: settingsOf(seed),
    load,
    faults,
    listener,
    hooks,
  })
}

async function loadUnderFaults(
  system: ChaosSystem,
  prepared: PreparedLoad,
  { plan, windowMs, signal }: { plan: PlannedFault[]; windowMs: number; signal: AbortSignal },
) {
  const enough = new AbortController()
  const ended = AbortSignal.any([enough.signal, signal])
  const bursts = plan.map(({ startAfterMs, burstBeforeMs }) => startAfterMs - burstBeforeMs)
  const load = prepared.run(bursts, ended)
  const faults = injectFaults(system, plan, ended)
  try {
    // Neither comes to an end before the window does, but when it fails.
    const over = Promise.all([faults, sleep(windowMs, undefined, { signal })])
    await within(windowMs + FAULTS_END_WITHIN_MS, 'a fault did not come to its end', Promise.race([over, load]))
  } finally {
    enough.abort()
    // What restarts a server must be through with it before the system is stopped.
    await within(FAULTS_END_WITHIN_MS, 'load and faults did not end', Promise.allSettled([load, faults]))
  }
  signal.throwIfAborted()
  return { load: await load, faults: await faults }
}

async function within<T>(limitMs: number, otherwise: string, work: Promise<T>): Promise<T> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), limitMs)
  try {
    const tooLate = once(late.signal, 'abort').then(() => {
      throw new Error(`${otherwise} within ${limitMs / 1000} s`)
    })
    return await Promise.race([work, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

/** The folder of a seed that failed, with its logs at least. */
export function evidenceOf(seed: number, { evidenceFolder }: Pick<SeedOptions, 'evidenceFolder'>): string {
  return join(evidenceFolder, `seed-${seed}`)
}

async function keepEvidence(
  system: ChaosSystem,
  history: History,
  violations: Violation[],
  options: SeedOptions,
): Promise<string> {
  const folder = evidenceOf(history.seed, options)
  await keepLogs(system, folder)
  await writeFile(join(folder, 'history.json'), JSON.stringify(history, null, 1))
  await writeFile(join(folder, 'violations.json'), JSON.stringify(violations, null, 1))
  return folder
}

async function keepLogs({ directory }: ChaosSystem, folder: string): Promise<void> {
  await cp(join(directory, 'logs'), join(folder, 'logs'), { recursive: true })
}
