/** What the routes work with. */
import type { Client } from '@connectrpc/connect'
import type { NatsConnection } from '@nats-io/transport-node'
import type { Health } from '@platen/proto/gen/grpc/health/v1/health_pb.ts'
import type { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import type { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import type { JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { UsageService } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import type { DeliveriesService } from '@platen/proto/gen/platen/webhooks/v1/deliveries_pb.ts'
import type { EndpointsService } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import type { EventsService } from '@platen/proto/gen/platen/webhooks/v1/events_pb.ts'
import type { Clock } from '@platen/runtime/clock.ts'
import type { PublicNetwork } from '@platen/runtime/fetch/public-network.ts'
import type { FileStore } from '@platen/runtime/file-store/file-store.ts'
import type { Logger } from '@platen/runtime/log.ts'
import type { Cursors } from '@platen/runtime/paging.ts'
import type { Printers } from './printers.ts'
import type { RateLimiter } from './rate-limit/rate-limiter.ts'

export interface Gateway {
  log: Logger
  clock: Clock
  stopping: AbortSignal
  /** With which keys were issued before a rename; they keep working. */
  olderKeyPrefixes: readonly string[]
  accounts: Client<typeof AccountsService>
  jobs: Client<typeof JobsService>
  devices: Client<typeof DevicesService>
  usage: Client<typeof UsageService>
  events: Client<typeof EventsService>
  endpoints: Client<typeof EndpointsService>
  deliveries: Client<typeof DeliveriesService>
  /** The services that no request can do without, by name. */
  health: Record<string, Client<typeof Health>>
  /** Core NATS, which the gateway can do without. Undefined if it never connects. */
  nats: Promise<NatsConnection | undefined>
  /** Those that jobs are created for. */
  printers: Printers
  fileStore: FileStore
  /** A document up to this size goes to jobs, a larger one to the file store. */
  inlineDocumentBytes: number
  cursors: Cursors
  rateLimiter: RateLimiter
  /** 0: off. */
  hstsSeconds: number
  /** Where somebody whose plan is used up can change it. */
  upgradeUrl: string
  /** Where agents connect; without a URL at this port of the host that they enrol at. */
  agents: { url: string | undefined; port: number }
  /** Keys the hashes that tell one body from another, the same on all replicas: bodies hold passwords, which nobody shall guess. */
  bodyHashSecret: string
  /** Judges the URLs of documents; the gateway itself requests none of them. */
  publicNetwork: PublicNetwork
  /** How long it waits for what it can do without, in the place of what is usual for each: a test's process may stand still. */
  patienceMs?: number
}
