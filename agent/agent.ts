/** Shared state of one running agent. Several agents can run in one process. */
import type { Logger } from 'pino'
import type { Backoff } from './backoff.ts'
import type { Commands } from './commands/commands.ts'
import type { AgentConfig } from './config.ts'
import type { Documents } from './documents.ts'
import type { Clock } from './expiry.ts'
import type { Journal } from './journal/journal.ts'
import type { NetworkPrinters } from './spoolers/network/network-printers.ts'
import type { Spooler } from './spoolers/spooler.ts'
import type { Status } from './status/status.ts'
import type { Updates } from './update/updates.ts'
import type { PrinterReports } from './uplink/printer-reports.ts'
import type { Uplink } from './uplink/uplink.ts'

export interface Agent {
  config: AgentConfig
  /** New at each start, so that the server can distinguish a reconnect from another agent. */
  runId: string
  log: Logger
  journal: Journal
  documents: Documents
  spooler: Spooler
  /** Absent if the agent accepts no commands. */
  networkPrinters?: NetworkPrinters
  uplink: Uplink
  printerReports: PrinterReports
  commands: Commands
  timings: Timings
  /** For the expiry of jobs and the pauses after failed connections and downloads. */
  clock: Clock
  /** The current state; replaced at each change. */
  connection: Connection
  /** Another agent has connected with the same credential. Nothing more is handed over. */
  isSuperseded: boolean
  /** Aborted when the agent begins to stop. */
  stopping: AbortSignal
  /** Replaces the credential in `agent.json`. @throws if it cannot. */
  storeCredential(credential: string): void
  /** See `RunOptions`. */
  isContinued?: boolean
  /** See `RunOptions`. */
  getReceiptDelayMs?: (title: string) => number
  /** Absent if the agent cannot update itself. */
  updates?: Updates
}

export type Connection = Omit<Status['connection'], 'since'> & { since: Date }

export interface Timings {
  /** A Received or Report without a response is resent after this time. */
  resendMs: number
  /** Between failed connections, downloads and spooler calls. */
  backoff: Backoff
  /** From the beginning of a connection to Welcome. */
  welcomeTimeoutMs: number
  /** Poll interval for printer changes while connected. */
  printersIntervalMs: number
  /** After this time a spooler knows whether the printer receives a job that it has begun. */
  beginningMs: number
  /**
   * An automatic update begins at a random time of this length after it was offered, because many agents are offered it
   * together.
   */
  updateSpreadMs: number
}

export const TIMINGS: Timings = {
  resendMs: 5_000,
  backoff: { baseMs: 1_000, maxMs: 60_000 },
  welcomeTimeoutMs: 15_000,
  printersIntervalMs: 5_000,
  beginningMs: 5_000,
  updateSpreadMs: 10 * 60_000,
}
