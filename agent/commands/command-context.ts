import type { Logger } from 'pino'
import type { AgentConfig } from '../config.ts'
import type { Clock } from '../expiry.ts'
import type { NetworkPrinters } from '../spoolers/network/network-printers.ts'
import type { Spooler } from '../spoolers/spooler.ts'
import type { NewPrinters } from './open-new-printer.ts'

/** What commands use of the agent. */
export interface CommandContext {
  dataDir: string
  config: AgentConfig
  log: Logger
  clock: Clock
  stopping: AbortSignal
  spooler: Spooler
  networkPrinters: NetworkPrinters
  newPrinters: NewPrinters
  printerReports: { reportChanges(): Promise<void> }
  /** Absent if the agent cannot update itself. */
  updates?: { begin(): void }
}
