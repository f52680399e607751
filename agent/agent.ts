/** What the parts of one running agent share. Several agents may run in one process, each with its own. */
import type { Logger } from 'pino'
import type { Backoff } from './backoff.ts'
import type { AgentConfig } from './config.ts'
import type { Documents } from './documents.ts'
import type { Journal } from './journal/journal.ts'
import type { Spooler } from './spoolers/spooler.ts'
import type { PrinterReports } from './uplink/printer-reports.ts'
import type { Uplink } from './uplink/uplink.ts'

export interface Agent {
  config: AgentConfig
  /** New at each start, so that the server can tell a stream that comes back from another agent. */
  runId: string
  log: Logger
  journal: Journal
  documents: Documents
  spooler: Spooler
  uplink: Uplink
  printerReports: PrinterReports
  timings: Timings
  /** As of now; replaced at each change. */
  connection: Connection
  /** Aborted when the agent begins to stop. */
  stopping: AbortSignal
}

export interface Connection {
  state: 'connecting' | 'connected' | 'disconnected'
  since: Date
  /** Of the stream that there is. */
  computerId?: string
  /** Why there is none. */
  reason?: string
}

export interface Timings {
  /** A Received or Report without an answer is said again after this. */
  resendMs: number
  /** Between connections, downloads and calls of the spooler that failed. */
  backoff: Backoff
  /** From the beginning of a connection to Welcome. */
  welcomeTimeoutMs: number
  /** While connected, how often the spooler is asked whether its printers have changed. */
  printersIntervalMs: number
}

export const TIMINGS: Timings = {
  resendMs: 5_000,
  backoff: { baseMs: 1_000, maxMs: 60_000 },
  welcomeTimeoutMs: 15_000,
  printersIntervalMs: 5_000,
}
