import type { JournalSummary } from '../journal/summary.ts'

/** The answer of the running agent to a command of its computer. */
export interface Status {
  pid: number
  agentVersion: string
  /** Times are ISO 8601. */
  startedAt: string
  connection: {
    state: 'connecting' | 'connected' | 'disconnected'
    since: string
    /** Set while connected. */
    computerId?: string
    /** Why the agent is disconnected. */
    reason?: string
  }
  journal: JournalSummary
  /** Why the printers of the operating system cannot be listed. */
  spoolerProblem?: { code: string; message: string }
}
