/** Context of every RPC, stream and timer of the service. */
import type { Client } from '@connectrpc/connect'
import type { JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { ReadAgentPackages } from '@platen/runtime/agent-packages.ts'
import type { Clock } from '@platen/runtime/clock.ts'
import type { Database } from '@platen/runtime/database/database.ts'
import type { FileStore } from '@platen/runtime/file-store/file-store.ts'
import type { Logger } from '@platen/runtime/log.ts'
import type { Nats } from '@platen/runtime/messaging/nats.ts'
import type { Suspended } from '@platen/runtime/suspended-organizations.ts'
import type { LimitReport } from '@platen/runtime/telemetry/limit-reports.ts'
import type { TokenBuckets } from '@platen/runtime/token-bucket.ts'
import type { Pool } from 'pg'
import type { AgentUpdates } from './agents/agent-updates.ts'
import type { Credentials } from './agents/authenticate.ts'
import type { Claims } from './agents/claims.ts'
import type { CommandSigner } from './agents/command-signer.ts'
import type { ComputerPrinters } from './agents/computer-printers.ts'
import type { Connections } from './agents/connections.ts'
import type { Downloads } from './agents/downloads.ts'
import type { DestinationTurns } from './destinations/destination-turns.ts'
import type { Presence } from './presence.ts'
import type { PrinterTexts } from './printer-texts.ts'

export interface Devices {
  orm: Database['orm']
  pool: Pool
  lists: Pool
  nats: Nats
  jobs: Client<typeof JobsService>
  files: FileStore
  clock: Clock
  log: Logger
  limitExceeded: LimitReport
  /** The interval of agent and service, each way. */
  heartbeatSeconds: number
  streamMaxMs: number
  /** Age of a credential, after which its agent gets a new one. */
  credentialMs: number
  connections: Connections
  commandSigner: CommandSigner
  credentials: Credentials
  /** Rates by hash of the credential. */
  helloRates: TokenBuckets
  /** Rates by computer. */
  printerEventRates: TokenBuckets
  organizationEventRates: TokenBuckets
  /** Rates by organization. */
  messageRates: TokenBuckets
  /** Computers of an organization. */
  computersMax: number
  suspended: Suspended
  downloads: Downloads
  printers: ComputerPrinters
  printerTexts: PrinterTexts
  claims: Claims
  destinationTurns: DestinationTurns
  updates: AgentUpdates
  presence: Presence
  /** Packages of the agent, for its updates. */
  agentPackages: ReadAgentPackages
  /** Call after the commit of a statement that inserted an event. */
  eventsAdded(): void
}
