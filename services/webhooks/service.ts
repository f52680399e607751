/** The event feed, webhook endpoints and deliveries to them. Composes the service; `services/main.ts` runs it. */
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { AlertsService } from '@platen/proto/gen/platen/webhooks/v1/alerts_pb.ts'
import { DeliveriesService } from '@platen/proto/gen/platen/webhooks/v1/deliveries_pb.ts'
import { EndpointsService } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { EventsService } from '@platen/proto/gen/platen/webhooks/v1/events_pb.ts'
import { type Clock, systemClock } from '@platen/runtime/clock.ts'
import { openDatabaseWithLists } from '@platen/runtime/database/database.ts'
import { startPartitions } from '@platen/runtime/database/partitions.ts'
import { createPublicNetwork } from '@platen/runtime/fetch/public-network.ts'
import { UNRESERVED_PORTS } from '@platen/runtime/fetch/public-url.ts'
import { openMailer } from '@platen/runtime/mail/open-mailer.ts'
import { connectNats } from '@platen/runtime/messaging/nats.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { connectRpc } from '@platen/runtime/rpc/client.ts'
import { serveRpc } from '@platen/runtime/rpc/server.ts'
import { createSecretBox } from '@platen/runtime/secret-box.ts'
import { followSuspended } from '@platen/runtime/suspended-organizations.ts'
import { areMetricsOn, MEASURE_EVERY_MS } from '@platen/runtime/telemetry/metric.ts'
import { startTimer } from '@platen/runtime/timers.ts'
import { COLLECT_MS } from './alerts/incident.ts'
import type { Config } from './config.ts'
import { startDelivery } from './delivery/start-delivery.ts'
import { AlertMailEntity, AlertRuleEntity, DeliveryEntity, EndpointEntity, SecretEntity } from './entities.ts'
import { startFeedWakes } from './events/feed-wakes.ts'
import { followLogs } from './events/follow-logs.ts'
import { MIGRATIONS } from './migrations/migrations.ts'
import { alertsService } from './rpc/alerts-service.ts'
import { deliveriesService } from './rpc/deliveries-service.ts'
import { endpointsService } from './rpc/endpoints-service.ts'
import { getEvent } from './rpc/get-event.ts'
import { listEvents } from './rpc/list-events.ts'
import { listStateChanges } from './rpc/list-state-changes.ts'
import { findIncidents } from './timers/find-incidents.ts'
import { measureWebhooks } from './timers/measure-webhooks.ts'
import { sendIncidentMails } from './timers/send-incident-mails.ts'
import { sweepFailing } from './timers/sweep-failing.ts'
import { sweepMissed } from './timers/sweep-missed.ts'
import { sweepSecrets } from './timers/sweep-secrets.ts'
import type { Webhooks } from './webhooks.ts'

const DAILY_TABLES = [
  { name: 'event', key: 'id' },
  { name: 'delivery', key: 'id' },
  { name: 'attempt', key: 'delivery_id' },
]
const SWEEP_MISSED_EVERY_MS = 5_000
const SWEEP_SECRETS_EVERY_MS = 60_000
const SWEEP_FAILING_EVERY_MS = 10_000
const SEND_MAILS_EVERY_MS = 5_000
/** Half of the time in which a mail waits for more problems. */
const FIND_INCIDENTS_EVERY_MS = COLLECT_MS / 2

/** @param network for tests, which replace its DNS. */
export async function startWebhooks(
  service: ServiceProcess,
  config: Config,
  clock: Clock = systemClock,
  network = createPublicNetwork({ allowed: config.allowedNetworks, ports: UNRESERVED_PORTS }),
): Promise<Webhooks> {
  service.diagnostics.addSecret('PLATEN_WEBHOOK_KEY', config.webhookKey)
  const [{ orm, pool, lists }, nats] = await Promise.all([
    openDatabaseWithLists(service, {
      settings: config.database,
      schema: 'webhooks',
      entities: [EndpointEntity, SecretEntity, DeliveryEntity, AlertRuleEntity, AlertMailEntity],
      migrations: MIGRATIONS,
    }),
    connectNats(service, config.nats),
  ])
  const { rpcKey: key, mail } = config
  const accounts = connectRpc(service, AccountsService, { url: config.accountsUrl, key })
  const mailer = openMailer(mail, { clock, log: service.log, stopping: service.stopping })
  service.diagnostics.add('mail', async () => ({ mail: { destination: await mailer.check() } }))
  const webhooks: Webhooks = {
    orm,
    pool,
    lists,
    nats,
    clock,
    log: service.log,
    secretBox: createSecretBox(config.webhookKey),
    network,
    eventRetentionMs: config.eventRetentionMs,
    accounts,
    jobs: connectRpc(service, JobsService, { url: config.jobsUrl, key }),
    devices: connectRpc(service, DevicesService, { url: config.devicesUrl, key }),
    suspended: followSuspended(service, accounts),
    mailer,
    hasMailServer: mail.to !== undefined && 'host' in mail.to,
    publicUrl: config.publicUrl,
    disableAfterMs: config.webhookDisableAfterMs,
    deliveriesAdded: () => undefined,
  }
  const tables = DAILY_TABLES.map((table) => ({ ...table, keptMs: config.eventRetentionMs }))
  await startPartitions(service, clock, { schema: 'webhooks', server: config.database.server, tables })
  const feedWakes = startFeedWakes(service, nats.connection)
  startTimer(service, 'missed', SWEEP_MISSED_EVERY_MS, () => sweepMissed(webhooks))
  startTimer(service, 'secrets', SWEEP_SECRETS_EVERY_MS, () => sweepSecrets(webhooks))
  startTimer(service, 'failing', SWEEP_FAILING_EVERY_MS, () => sweepFailing(webhooks))
  if (areMetricsOn())
    startTimer(service, 'metrics', MEASURE_EVERY_MS, () => measureWebhooks(webhooks), { readsAll: true })
  startTimer(service, 'incidents', FIND_INCIDENTS_EVERY_MS, () => findIncidents(webhooks), { readsAll: true })
  startTimer(service, 'incident mails', SEND_MAILS_EVERY_MS, () => sendIncidentMails(webhooks, service.stopping))
  await serveRpc(service, {
    ...config.rpc,
    routes: (router) => {
      router.service(EventsService, {
        listEvents: (request, { signal }) => listEvents(webhooks, feedWakes, request, signal),
        listStateChanges: (request) => listStateChanges(webhooks, request),
        getEvent: (request) => getEvent(webhooks, request),
      })
      router.service(AlertsService, alertsService(webhooks))
      router.service(EndpointsService, endpointsService(webhooks))
      router.service(DeliveriesService, deliveriesService(webhooks))
    },
  })
  webhooks.deliveriesAdded = startDelivery(service, webhooks, {
    timeoutMs: config.webhookTimeoutMs,
    retryGapsMs: config.webhookRetryGapsMs,
    leaseMs: config.webhookLeaseMs,
    allowedNetworksDetails: config.allowedNetworksDetails,
  })
  followLogs(service, webhooks)
  return webhooks
}
