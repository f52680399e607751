/** Runs one agent. Has no global state, so several agents can run in one process. */
import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Agent, TIMINGS, type Timings } from './agent.ts'
import { createCommands } from './commands/commands.ts'
import { type AgentConfig, replaceCredential } from './config.ts'
import { openDocuments } from './documents.ts'
import { type Clock, SYSTEM_CLOCK } from './expiry.ts'
import { createJobs } from './jobs/jobs.ts'
import { openJournal } from './journal/journal.ts'
import type { NetworkPrinters } from './spoolers/network/network-printers.ts'
import type { Spooler } from './spoolers/spooler.ts'
import { serveStatus } from './status/serve-status.ts'
import { syncDirectory } from './sync-on-disk.ts'
import type { Updates } from './update/updates.ts'
import { createPrinterReports } from './uplink/printer-reports.ts'
import { type ConnectionEnd, stayConnected } from './uplink/stay-connected.ts'
import { createUplink } from './uplink/uplink.ts'

const PURGE_INTERVAL_MS = 60 * 60 * 1000

/** Time for running spooler calls to finish and be journaled when the agent stops. */
const STOP_TIMEOUT_MS = 2_000

/** The same before an update, which nothing hurries. */
const RESTART_TIMEOUT_MS = 60_000

export interface RunOptions {
  /** Contains the journal and the documents. Used by one agent at a time. */
  dataDir: string
  config: AgentConfig
  spooler: Spooler
  log: Logger
  /** Stops the agent. */
  signal: AbortSignal
  timings?: Timings
  clock?: Clock
  /** Socket address for `platen-agent status`; without it, no socket is opened. */
  statusAddress?: string
  /** The size of the documents of unprinted jobs. Further jobs wait. Default: what the disk has. */
  documentsMaxBytes?: number
  /** The time before a job is received, by its title. For test mode. */
  getReceiptDelayMs?: (title: string) => number
  /** Another process continues this agent after its stop, so its computer does not go offline at once. */
  isContinued?: boolean
  /**
   * With them the agent executes commands of users. An agent inside of a service has none, because it would execute
   * them there.
   */
  networkPrinters?: NetworkPrinters
  /** Called at each Welcome. */
  onWelcome?: () => void
  /** Absent if the agent cannot update itself. */
  updates?: Updates
}

/**
 * Runs until it is stopped or the server rejects it permanently.
 *
 * @returns why it ended. The stream and the journal are closed by then.
 * @throws JournalInUse if another agent uses `dataDir`.
 */
export async function runAgent(options: RunOptions): Promise<ConnectionEnd> {
  const { dataDir, signal, timings = TIMINGS, clock = SYSTEM_CLOCK, statusAddress, ...more } = options
  const { onWelcome = () => undefined, ...rest } = more
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const refused = syncDirectory(dataDir)
  if (refused)
    options.log.warn({ err: refused }, 'directories cannot be synced: the newest files can be lost in a power failure')
  const ending = new AbortController()
  const stopping = AbortSignal.any([signal, ending.signal])
  setMaxListeners(0, stopping)

  const journal = openJournal(join(dataDir, 'journal.sqlite'))
  const documents = openDocuments(join(dataDir, 'documents'), options.documentsMaxBytes)
  const uplink = createUplink(timings.resendMs, stopping)
  const printerReports = createPrinterReports({ ...rest, documents, uplink })
  const agent: Agent = {
    ...rest,
    runId: randomUUID(),
    journal,
    documents,
    uplink,
    printerReports,
    commands: createCommands({ ...rest, dataDir, clock, printerReports, stopping }),
    timings,
    clock,
    connection: { state: 'connecting', since: new Date() },
    isSuperseded: false,
    stopping,
    storeCredential: (credential) => replaceCredential(dataDir, agent.config.credential, credential),
  }
  const stopStatus = statusAddress === undefined ? undefined : serveStatus(agent, statusAddress)
  const jobs = createJobs(agent)
  const stopUpdates = agent.updates?.start(agent, () => {
    agent.isContinued = true
    ending.abort()
  })
  const purging = setInterval(() => void purge(agent), PURGE_INTERVAL_MS)
  let end: ConnectionEnd | undefined
  try {
    await purge(agent)
    jobs.resume()
    end = await stayConnected(agent, jobs, () => {
      rest.spooler.start?.()
      onWelcome()
    })
    return end
  } finally {
    clearInterval(purging)
    stopStatus?.()
    stopUpdates?.()
    ending.abort()
    const stopTimeoutMs = agent.updates?.isRestarting() ? RESTART_TIMEOUT_MS : STOP_TIMEOUT_MS
    await Promise.race([jobs.ended().then(() => rest.spooler.close?.()), sleep(stopTimeoutMs)])
    if (end === 'deleted') journal.abandon()
    journal.close()
  }
}

/** Deletes old settled jobs and unneeded documents. */
async function purge({ journal, documents, log }: Agent): Promise<void> {
  try {
    journal.purge()
  } catch (error) {
    log.warn({ err: error }, 'journal cleanup failed')
  }
  await documents
    .keepOnly((jobId) => {
      const entry = journal.get(jobId)
      return entry !== undefined && (entry.settledAt === null || entry.phase === 'refused')
    })
    .catch((error: unknown) => log.warn({ err: error }, 'document cleanup failed'))
}
