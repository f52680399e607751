/** A whole installation whose every process and connection can be made to fail. `start-system.ts` makes one. Linux only. */
import type { AgentFacts, EndpointFacts, SpoolerCall } from '../history.ts'

export interface ChaosSystem {
  /** The gateways, reached without a proxy. */
  baseUrls: string[]
  /** Reached without a proxy, for the one who looks at what the run left behind. */
  databaseUrl: string
  natsUrl: string
  /** Holds `files` (the file store), `nats`, `logs` (one file for each process) and `agents/<computerId>` (an agent's data directory). */
  directory: string
  tenants: Tenant[]
  /** Services, agents, nats-server, the agents' spooler; not PostgreSQL, whose processes are its own affair. */
  victims: Victim[]
  links: Link[]
  /** Kills nats-server, deletes its store, starts it. */
  wipeNats(): Promise<void>
  /** The way an operator does it: fast shutdown, start. */
  restartPostgres(): Promise<void>
  /** Ends all pauses and link faults and comes back when every process runs and is ready. */
  heal(): Promise<void>
  /** Comes back at the next such call of the spooler, by this agent ("agent-0"); rejects when the signal is aborted. */
  nextSpoolerCall(of: Pick<SpoolerCall, 'agent' | 'call'>, signal: AbortSignal): Promise<void>
  /** What each agent's spooler recorded, and each agent's journal and welcomes say. */
  readSpoolerCalls(): Promise<SpoolerCall[]>
  readAgents(): Promise<AgentFacts[]>
  /** Ends of processes that were not killed: "jobs-0: exit code 1". Each was started again. */
  unexpectedEnds: string[]
  /** Starts that failed, as they may while a link is broken; each was tried again. */
  failedStarts: string[]
  /** Leaves no process behind, and the directory only when asked to. */
  stop(options?: { keepDirectory?: boolean }): Promise<void>
}

/** An organization with one computer, and with what must not leak out of it. */
export interface Tenant {
  organizationId: string
  computerId: string
  key: string
  credential: string
  /** Of webhooks; none without receivers. */
  endpoints: { facts: EndpointFacts; secret: string }[]
}

export interface Victim {
  /** "jobs-0", "agent-1", "nats-server". */
  name: string
  /**
   * `kill -9`; the supervisor starts it again after a moment. Comes back when it runs and is ready again, which may take until a broken
   * link is healed: an agent is ready once it is welcomed, a service once it has found its database.
   */
  kill(): Promise<void>
  /** SIGSTOP. Ends with `resume`, `heal` or a kill. */
  pause(): void
  /** SIGCONT. */
  resume(): void
}

/** One direction of who connects to whom, through a proxy of its own. */
export interface Link {
  /** "gateway-0 > jobs-1", "devices-0 > nats-server", "jobs-1 > postgres", "agent-0 > devices-1", "agent-0 > spooler". */
  name: string
  /** Carries a connection at this moment. */
  isInUse(): boolean
  /** Each chunk arrives later, in order. */
  delay(ms: number): void
  /** Ends the connections with FIN and refuses new ones. */
  cut(): void
  /** Keeps the connections and swallows what goes through, in both directions; new ones are accepted and get nothing. */
  halfOpen(): Promise<void>
  /** RST on all connections, once; new ones work. */
  reset(): void
  /** All works again, without delay; connections that swallowed something are reset. */
  heal(): Promise<void>
}
