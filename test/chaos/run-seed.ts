/** One run: start, load and faults, heal, wait, collect, check. Leaves nothing running. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Stores } from '../checker/collect.ts'
import type { ClientCall, InjectedFault } from '../checker/history.ts'
import { findLeaks, readFiles, readTables, type Secret } from '../checker/secrets.ts'
import { type ChaosSystem, startChaosSystem } from './chaos-system.ts'
import { createRecorder } from './client.ts'
import { restoreDestinations, type Used, useDestinations } from './destinations.ts'
import { planFaults } from './fault-plan.ts'
import { injectFaults } from './faults.ts'
import { runLoad } from './load.ts'
import { waitForQuiet } from './quiet.ts'
import { recordStalls } from './stalls.ts'
import { checkRun, collectRun, keepEvidence, openStores, type Verdict } from './verdict.ts'

export interface SeedOptions {
  seed: number
  /** The duration of load and faults. */
  seconds: number
  /** See `ChaosOptions`. */
  together: boolean
  /** Ends the run early with an error. */
  signal?: AbortSignal
  onProgress?: (step: string) => void
}

/** From the release of a job to its completion. The seed decides how many jobs are on paper when a fault happens. */
const PRINT_MS = [50, 200, 1_000]

/** Shorter than the defaults of 60 s and 27 h, which are longer than a run. */
const ENVIRONMENT = {
  PLATEN_RESEND_AFTER_SECONDS: '5',
  PLATEN_WEBHOOK_RETRY_GAPS: '1,1,2,2,2,2,2',
  PLATEN_WEBHOOK_LEASE_SECONDS: '30',
  PLATEN_TEST_JOBS_PER_DAY: '1000000',
}
/** Every fifth seed uses short timeouts of jobs and agents. The defaults are longer than a run. */
const IMPATIENT = {
  ...ENVIRONMENT,
  PLATEN_PRINTING_TIMEOUT_SECONDS: '4',
  PLATEN_AGENT_LOST_SECONDS: '2',
  PLATEN_OFFLINE_GRACE_SECONDS: '1',
  PLATEN_HEARTBEAT_SECONDS: '1',
}
const createEnvironment = (seed: number) => (seed % 5 === 0 ? IMPATIENT : ENVIRONMENT)

/** A killed process takes some seconds to start, on a busy machine a minute. */
const HEAL_TIMEOUT_MS = 90_000
/** Four resends, the time to notice a dead connection, and two pauses of an endpoint. */
const QUIET_TIMEOUT_MS = 120_000

export async function runSeed({ onProgress = () => undefined, ...options }: SeedOptions): Promise<Verdict> {
  const { seed, together, signal } = options
  onProgress('starting')
  await using started = new AsyncDisposableStack()
  const printMs = PRINT_MS[seed % PRINT_MS.length] ?? 0
  const readStalls = recordStalls(started)
  const chaos = await startChaosSystem({ seed, together, env: createEnvironment(seed), printMs }, started)
  try {
    const history = await makeHistory(chaos, { ...options, onProgress })
    return await checkRun(chaos.system, { ...history, faults: [...history.faults, ...readStalls()] })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new Error(`The run failed. Its logs: ${await keepEvidence(chaos.system.directory, {})}`, { cause: error })
  }
}

async function makeHistory(chaos: ChaosSystem, options: SeedOptions & Required<Pick<SeedOptions, 'onProgress'>>) {
  const { seed, onProgress } = options
  const { system, tenants } = chaos
  await using opened = new AsyncDisposableStack()
  const stores = openStores(system, opened)

  const { calls, leaks, faults, used } = await loadUnderFaults(chaos, stores, options)
  onProgress('healing')
  await withLimit(HEAL_TIMEOUT_MS, 'heal', chaos.heal())
  const restored = await withLimit(HEAL_TIMEOUT_MS, 'restore the destinations', restoreDestinations(system, tenants))
  onProgress('waiting until the system is idle')
  const agents = tenants.map(({ files }) => files)
  const busy = await waitForQuiet(stores, agents, QUIET_TIMEOUT_MS)
  onProgress(busy === '' ? 'checking' : `checking, although there are ${busy}`)
  leaks.push(...(await searchLeaks(chaos, stores)))
  return await collectRun(stores, chaos, createEnvironment(seed), {
    calls,
    leaks,
    faults,
    destinationChanges: [...used.destinationChanges, ...restored.destinationChanges],
    printerSwitches: [...used.printerSwitches, ...restored.printerSwitches],
  })
}

async function loadUnderFaults(
  { system, tenants, victims }: ChaosSystem,
  { database }: Stores,
  { seed, seconds, together, signal, onProgress = () => undefined }: SeedOptions,
): Promise<{
  calls: ClientCall[]
  leaks: string[]
  faults: InjectedFault[]
  used: Used
}> {
  const plan = planFaults(seed, { windowMs: seconds * 1000, together })
  onProgress(`load and ${plan.length} faults`)
  const recorder = createRecorder(tenants)
  const burstsAfterMs = plan.map(({ startAfterMs, burstBeforeMs }) => startAfterMs - burstBeforeMs)
  const ending = new AbortController()
  const ended = signal ? AbortSignal.any([ending.signal, signal]) : ending.signal
  const load = runLoad({ seed, baseUrls: system.baseUrls, tenants, recorder, database, burstsAfterMs }, ended)
  const injected = injectFaults(victims, plan, ended)
  const changed = useDestinations(system, tenants, seed, ended)
  try {
    const window = Promise.all([injected, sleep(seconds * 1000, undefined, { signal })])
    await withLimit(seconds * 1000 + HEAL_TIMEOUT_MS, 'end the faults', Promise.race([window, load]))
  } finally {
    ending.abort()
    await withLimit(HEAL_TIMEOUT_MS, 'end the load', Promise.allSettled([load, injected, changed]))
  }
  signal?.throwIfAborted()
  await load
  const { calls, leaks } = recorder
  return { calls, leaks: [...leaks], faults: await injected, used: await changed }
}

/** Contents may be in the file store, and a credential and contents in the directory of their own agent. */
async function searchLeaks({ system, tenants }: ChaosSystem, { database }: Stores) {
  const all = tenants.flatMap(({ secrets }) => secrets)
  const inFolder = (folder: string) => readFiles(join(system.directory, folder))
  const secretsBut = (...allowed: Secret[]) => all.filter((one) => !allowed.includes(one))
  const sources: [AsyncIterable<[string, Buffer]>, Secret[]][] = [
    [readTables(database), all],
    [inFolder('logs'), all],
    [inFolder('nats'), all],
    [inFolder('files'), secretsBut(...all.filter(({ name }) => name.startsWith('contents')))],
  ]
  for (const { files, secrets } of tenants) {
    const own = secrets.filter(({ name }) => !name.startsWith('key'))
    sources.push([readFiles(files.directory), secretsBut(...own)])
  }
  const leaks = await Promise.all(sources.map(([source, secrets]) => findLeaks(source, secrets)))
  return leaks.flat()
}

async function withLimit<T>(limitMs: number, what: string, work: Promise<T>): Promise<T> {
  const late = sleep(limitMs, undefined, { ref: false }).then(() => {
    throw new Error(`the system did not ${what} within ${limitMs / 1000} s`)
  })
  return await Promise.race([work, late])
}
