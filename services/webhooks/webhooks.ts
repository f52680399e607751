/** Shared by all RPCs, consumers and timers of the service. */
import type { Client } from '@connectrpc/connect'
import type { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import type { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import type { JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { Clock } from '@platen/runtime/clock.ts'
import type { Database } from '@platen/runtime/database/database.ts'
import type { PublicNetwork } from '@platen/runtime/fetch/public-network.ts'
import type { Logger } from '@platen/runtime/log.ts'
import type { Mailer } from '@platen/runtime/mail/mailer.ts'
import type { Nats } from '@platen/runtime/messaging/nats.ts'
import type { SecretBox } from '@platen/runtime/secret-box.ts'
import type { Suspended } from '@platen/runtime/suspended-organizations.ts'

export interface Webhooks {
  orm: Database['orm']
  pool: Database['pool']
  lists: Database['pool']
  nats: Nats
  clock: Clock
  log: Logger
  /** Encrypts secrets, each for the id of its endpoint. */
  secretBox: SecretBox
  /** Validates the URLs of endpoints and connects to them. */
  network: PublicNetwork
  /** Retention time of events, deliveries and attempts. */
  eventRetentionMs: number
  accounts: Client<typeof AccountsService>
  jobs: Client<typeof JobsService>
  devices: Client<typeof DevicesService>
  suspended: Suspended
  mailer: Mailer
  /** Without one, mails are files or lines of the log. */
  hasMailServer: boolean
  /** The address of the dashboard. Undefined: mails have no links. */
  publicUrl: string | undefined
  /** Time of failures without a success after which an endpoint is disabled. */
  disableAfterMs: number
  /** Call it after the commit of a transaction that made deliveries of these endpoints due. */
  deliveriesAdded(endpointIds: string[]): void
}
