/** The dependencies of the routes. */
import type { Client } from '@connectrpc/connect'
import type { NatsConnection } from '@nats-io/transport-node'
import type { Health } from '@platen/proto/gen/grpc/health/v1/health_pb.ts'
import type { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import type { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import type { JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { UsageService } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import type { AlertsService } from '@platen/proto/gen/platen/webhooks/v1/alerts_pb.ts'
import type { DeliveriesService } from '@platen/proto/gen/platen/webhooks/v1/deliveries_pb.ts'
import type { EndpointsService } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import type { EventsService } from '@platen/proto/gen/platen/webhooks/v1/events_pb.ts'
import type { ClientName } from '@platen/resources/client-packages.ts'
import type { AgentPackage } from '@platen/runtime/agent-packages.ts'
import type { Clock } from '@platen/runtime/clock.ts'
import type { PublicNetwork } from '@platen/runtime/fetch/public-network.ts'
import type { FileStore } from '@platen/runtime/file-store/file-store.ts'
import type { Keyring } from '@platen/runtime/keyring.ts'
import type { Logger } from '@platen/runtime/log.ts'
import type { Cursors } from '@platen/runtime/paging.ts'
import type { Cookies } from './authentication/cookies.ts'
import type { DelayWrongCredentials } from './authentication/delay-wrong-credentials.ts'
import type { RecordEntry } from './authentication/record-entry.ts'
import type { Sessions } from './authentication/sessions.ts'
import type { GetClientAddress } from './client-address.ts'
import type { Config } from './config.ts'
import type { Dashboard } from './dashboard/serve-dashboard.ts'
import type { Operation } from './operation/operation.ts'
import type { AcceptBatch } from './print-jobs/accept-batch.ts'
import type { AcceptPrintJob } from './print-jobs/accept-print-job.ts'
import type { CreateJob } from './print-jobs/create-job.ts'
import type { Printers } from './print-jobs/printers.ts'
import type { ConcurrencyLimit } from './rate-limit/concurrency-limit.ts'
import type { RateLimiter } from './rate-limit/rate-limiter.ts'
import type { ServedPackages } from './routes/packages.ts'

export interface Gateway {
  log: Logger
  clock: Clock
  stopping: AbortSignal
  /** All operations, whose permissions a session lists. */
  operations: readonly Operation[]
  /** Prefixes of keys that were issued before a rename and keep working. */
  olderKeyPrefixes: readonly string[]
  accounts: Client<typeof AccountsService>
  sessions: Sessions
  cookies: Cookies
  delayWrongCredentials: DelayWrongCredentials
  recordEntry: RecordEntry
  /** The address of the dashboard, if it is not that of each request. */
  publicUrl: string | undefined
  /** Whether browsers use TLS. */
  isEncrypted: boolean
  getClientAddress: GetClientAddress
  jobs: Client<typeof JobsService>
  devices: Client<typeof DevicesService>
  usage: Client<typeof UsageService>
  events: Client<typeof EventsService>
  endpoints: Client<typeof EndpointsService>
  deliveries: Client<typeof DeliveriesService>
  alerts: Client<typeof AlertsService>
  /** The services that requests depend on, by name. */
  health: Record<string, Client<typeof Health>>
  /** Core NATS, which is optional. Undefined if it is not configured or never connects. */
  nats: Promise<NatsConnection | undefined>
  printers: Printers
  fileStore: FileStore
  /** A document up to this size is sent to jobs, a larger one to the file store. */
  inlineDocumentBytes: number
  /** False if the operator does not permit reading documents. */
  documentPreview: boolean
  cursors: Cursors
  rateLimiter: RateLimiter
  /** The creation of all interfaces. */
  createJob: CreateJob
  /** The acceptance of `/v1` and PrintNode, and of batches, which share its limit of uploads. */
  acceptPrintJob: AcceptPrintJob
  acceptBatch: AcceptBatch
  /** The limit of all operations. */
  limitWork: ConcurrencyLimit
  /** 0: off. */
  hsts: string | undefined
  /** Undefined: none is served. */
  dashboard: Dashboard | undefined
  /** With the pages of the documentation. Undefined: none are served. */
  docsDirectory: string | undefined
  /** How the services were installed. Undefined: unknown. */
  installation: Config['installation']
  /** Undefined: no packages of the agent are served. */
  agentPackages: ServedPackages<AgentPackage> | undefined
  /** Undefined: no clients are served. */
  clientPackages: ServedPackages<ClientName> | undefined
  /** The billing page, where an organization can get a larger plan. */
  upgradeUrl: string
  /** The address for agents. Without a URL it is this port of the host of the enrolment. */
  agents: { url: string | undefined; port: number; isSecure: boolean }
  /** For the hashes of bodies, which contain passwords that must not be guessed from a hash. */
  signingKeys: Keyring
  /** The interface for programs that speak to PrintNode. Undefined: off. */
  printNode: { host: string | undefined } | undefined
  /** Whether computers can print by IPP. */
  ipp: boolean
  /** Checks the URLs of documents, which the gateway itself does not request. */
  publicNetwork: PublicNetwork
  /** Overrides the timeouts of calls to optional services. Set by tests, whose process can pause. */
  optionalTimeoutMs?: number
}
