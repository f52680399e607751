/** Shared by `chaos` and `kills`: settings, stores, the verdict and its output. */
import { cp, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkHistory, type Violation } from '../checker/check-history.ts'
import { collectHistory, openDatabase, type Recorded, type Stores } from '../checker/collect.ts'
import type { History } from '../checker/history.ts'
import type { System } from '../harness/system.ts'
import { readAgent, readSpoolerCalls } from './agents.ts'
import type { Receiver } from './receiver.ts'
import type { Tenant } from './tenants.ts'

export interface Verdict {
  history: History
  violations: Violation[]
  /** The folder with the history and the logs, if there are violations. */
  evidence?: string
}

const VIOLATIONS_SHOWN = 20

/** Seconds; the defaults of the services. */
const DEFAULTS = {
  PLATEN_RESEND_AFTER_SECONDS: '60',
  PLATEN_PRINTING_TIMEOUT_SECONDS: '900',
  PLATEN_AGENT_LOST_SECONDS: '86400',
  PLATEN_WEBHOOK_RETRY_GAPS: '5,300,1800,7200,18000,36000,36000',
}

/** @param env of the services. */
export function toSettings(env: Record<string, string>): History['settings'] {
  const set = { ...DEFAULTS, ...env }
  return {
    resendAfterMs: Number(set.PLATEN_RESEND_AFTER_SECONDS) * 1000,
    resendsMax: 3,
    printingTimeoutMs: Number(set.PLATEN_PRINTING_TIMEOUT_SECONDS) * 1000,
    agentLostMs: Number(set.PLATEN_AGENT_LOST_SECONDS) * 1000,
    webhookGapsMs: set.PLATEN_WEBHOOK_RETRY_GAPS.split(',').map((seconds) => Number(seconds) * 1000),
  }
}

/** Without proxies in between. @param started closes them. */
export function openStores(system: System, started: AsyncDisposableStack): Stores {
  const database = started.adopt(openDatabase(system.databaseUrl), (one) => one.end())
  return { database, filesDirectory: join(system.directory, 'files') }
}

/** What a run with tenants leaves behind. @param env of the services. */
export async function collectRun(
  stores: Stores,
  { system, tenants, receiver }: { system: System; tenants: Tenant[]; receiver: Receiver },
  env: Record<string, string>,
  recorded: Partial<Recorded> & Pick<Recorded, 'calls'>,
): Promise<History> {
  const agents = tenants.map(({ files }) => files)
  return await collectHistory(stores, {
    settings: toSettings(env),
    spoolerCalls: (await Promise.all(agents.map(readSpoolerCalls))).flat(),
    agents: await Promise.all(agents.map(readAgent)),
    endpoints: tenants.flatMap(({ endpoints }) => endpoints),
    receivedWebhooks: receiver.received,
    unexpectedEnds: system.unexpectedEnds,
    ...recorded,
  })
}

export async function checkRun({ directory }: System, history: History): Promise<Verdict> {
  const violations = checkHistory(history)
  if (violations.length === 0) return { history, violations }
  return { history, violations, evidence: await keepEvidence(directory, { history, violations }) }
}

/** @returns the folder. */
export async function keepEvidence(directory: string, files: Record<string, unknown>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-evidence-'))
  await cp(join(directory, 'logs'), join(folder, 'logs'), { recursive: true })
  for (const [name, content] of Object.entries(files))
    await writeFile(join(folder, `${name}.json`), JSON.stringify(content, null, 1))
  return folder
}

export function printViolations({ violations, evidence }: Verdict): void {
  for (const { group, subject, message } of violations.slice(0, VIOLATIONS_SHOWN))
    console.log(`  ${group}  ${subject}: ${message}`)
  if (violations.length > VIOLATIONS_SHOWN) console.log(`  … ${violations.length} violations`)
  if (evidence) console.log(`  History and logs: ${evidence}`)
}

/**
 * Ctrl-C ends a run in order, because paused processes must continue before they can end. The second one ends the
 * process at once.
 */
export function abortOnSignal(): AbortSignal {
  const interrupted = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => interrupted.abort(new Error(`ended by ${name}`)))
  return interrupted.signal
}

/** @returns what `read` returns; ends the process with a sentence and the usage if it throws. */
export function readArguments<T>(usage: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}. Usage: ${usage}`)
    process.exit(2)
  }
}

export function readInteger(name: string, text: string, min: number, max: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new Error(`${name} must be an integer from ${min} to ${max}`)
}
