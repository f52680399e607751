/** What every RPC, consumer and timer of the service works with. */
import type { Client } from '@connectrpc/connect'
import type { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import type { Clock } from '@platen/runtime/clock.ts'
import type { Database } from '@platen/runtime/database/database.ts'
import type { PublicNetwork } from '@platen/runtime/fetch/public-network.ts'
import type { Logger } from '@platen/runtime/log.ts'
import type { Mailer } from '@platen/runtime/mail/mailer.ts'
import type { Nats } from '@platen/runtime/messaging/nats.ts'
import type { Seal } from '@platen/runtime/seal.ts'

export interface Webhooks {
  orm: Database['orm']
  pool: Database['pool']
  nats: Nats
  clock: Clock
  log: Logger
  /** Of the endpoints' secrets, each for its endpoint's id. */
  seal: Seal
  /** Judges endpoints' URLs and leads to them. */
  network: PublicNetwork
  /** How long events, deliveries and attempts are kept. */
  eventRetentionMs: number
  /** Knows the owners of organizations. */
  accounts: Client<typeof AccountsService>
  mailer: Mailer
  /** How long an endpoint may fail without a success. */
  disableAfterMs: number
  /** How long an attempt may take, and how long after the first one the last one is made. */
  timeoutMs: number
  retriedForMs: number
  /** Call after the commit of a transaction that made deliveries of these endpoints due. */
  deliveriesAdded(endpointIds: string[]): void
}
