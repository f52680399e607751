/** The HTTP edge, which serves the REST API. Owns no tables. Composes the service; `services/main.ts` runs it. */

import { Health, HealthCheckResponse_ServingStatus } from '@platen/proto/gen/grpc/health/v1/health_pb.ts'
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { UsageService } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import { AlertsService } from '@platen/proto/gen/platen/webhooks/v1/alerts_pb.ts'
import { DeliveriesService } from '@platen/proto/gen/platen/webhooks/v1/deliveries_pb.ts'
import { EndpointsService } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { EventsService } from '@platen/proto/gen/platen/webhooks/v1/events_pb.ts'
import { parseClientPackage } from '@platen/resources/client-packages.ts'
import { WORK_AT_ONCE } from '@platen/resources/limits.ts'
import { openAgentPackages } from '@platen/runtime/agent-packages.ts'
import { type Clock, systemClock } from '@platen/runtime/clock.ts'
import { createPublicNetwork, type PublicNetwork } from '@platen/runtime/fetch/public-network.ts'
import { openPackages } from '@platen/runtime/packages.ts'
import { createCursors } from '@platen/runtime/paging.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { release } from '@platen/runtime/release.ts'
import { connectRpc } from '@platen/runtime/rpc/client.ts'
import { buildInfo, rateLimited } from '@platen/runtime/telemetry/metrics.ts'
import { createApp } from './app.ts'
import { createCookies } from './authentication/cookies.ts'
import { createWrongCredentialsDelay } from './authentication/delay-wrong-credentials.ts'
import { createEntryRecorder } from './authentication/record-entry.ts'
import { createSessions } from './authentication/sessions.ts'
import { createClientAddress } from './client-address.ts'
import type { Config } from './config.ts'
import { readDashboard } from './dashboard/serve-dashboard.ts'
import { openDependencies } from './dependencies.ts'
import type { Gateway } from './gateway.ts'
import { type HttpLimits, serveHttp } from './http-server.ts'
import { createAcceptance } from './print-jobs/accept-print-job.ts'
import { createJobCreation } from './print-jobs/create-job.ts'
import { createPrinters } from './print-jobs/printers.ts'
import { createToCreation } from './print-jobs/to-creation.ts'
import { createConcurrencyLimit } from './rate-limit/concurrency-limit.ts'
import { startRateLimiter } from './rate-limit/rate-limiter.ts'
import { ALL_OPERATIONS } from './router.ts'
import { toServedPackages } from './routes/packages.ts'

/** Replacements by tests. */
export interface GatewayOptions {
  httpLimits?: Partial<HttpLimits>
  optionalTimeoutMs?: number
  /** Resolver of hosts in document URLs. */
  publicNetwork?: PublicNetwork
}

/**
 * Starts without the other services, so that all can start at once. `/readyz` reports when they respond.
 *
 * @returns the port that it listens on, for a configured port of 0.
 */
export async function startGateway(
  service: ServiceProcess,
  config: Config,
  clock: Clock = systemClock,
  {
    httpLimits,
    optionalTimeoutMs,
    publicNetwork = createPublicNetwork({ allowed: config.allowedNetworks }),
  }: GatewayOptions = {},
): Promise<{ port: number }> {
  const { rpcKey: key } = config
  const { nats, fileStore } = await openDependencies(service, config)
  const accounts = { url: config.accountsUrl, key }
  const jobs = { url: config.jobsUrl, key }
  const devices = { url: config.devicesUrl, key }
  const webhooks = { url: config.webhooksUrl, key }
  const devicesClient = connectRpc(service, DevicesService, devices)
  const accountsClient = connectRpc(service, AccountsService, accounts)
  const getClientAddress = createClientAddress(config.trustedProxies, service.log)
  const rateLimiter = startRateLimiter(service, {
    limits: { perKey: config.rateLimitPerSecond, perOrganization: config.organizationRateLimitPerSecond },
    nats,
    now: clock.monotonicMs,
    timeoutMs: optionalTimeoutMs,
  })
  const { log, stopping } = service
  const parts: Omit<Gateway, 'createJob' | 'acceptPrintJob' | 'acceptBatch'> = {
    log,
    clock,
    stopping,
    operations: ALL_OPERATIONS,
    olderKeyPrefixes: config.olderKeyPrefixes,
    accounts: accountsClient,
    sessions: createSessions({ accounts: accountsClient, now: clock.monotonicMs }),
    cookies: createCookies(config.isEncrypted),
    publicUrl: config.publicUrl,
    isEncrypted: config.isEncrypted,
    getClientAddress,
    recordEntry: createEntryRecorder({ accounts: accountsClient, getClientAddress }),
    delayWrongCredentials: createWrongCredentialsDelay({ getClientAddress, rateLimiter, clock, stopping, log }),
    jobs: connectRpc(service, JobsService, jobs),
    devices: devicesClient,
    printers: createPrinters({ devices: devicesClient, nats, clock }),
    usage: connectRpc(service, UsageService, { url: config.usageUrl, key }),
    events: connectRpc(service, EventsService, webhooks),
    endpoints: connectRpc(service, EndpointsService, webhooks),
    deliveries: connectRpc(service, DeliveriesService, webhooks),
    alerts: connectRpc(service, AlertsService, webhooks),
    health: {
      accounts: connectRpc(service, Health, accounts),
      jobs: connectRpc(service, Health, jobs),
      devices: connectRpc(service, Health, devices),
    },
    nats,
    fileStore,
    inlineDocumentBytes: config.inlineDocumentBytes,
    documentPreview: config.documentPreview,
    cursors: createCursors(config.signingKeys),
    rateLimiter,
    limitWork: createConcurrencyLimit('units of work', WORK_AT_ONCE),
    hsts: config.hsts,
    dashboard: config.dashboardDirectory ? readDashboard(config.dashboardDirectory) : undefined,
    docsDirectory: config.docsDirectory,
    installation: config.installation,
    agentPackages: toServedPackages(config.agentPackagesDirectory, openAgentPackages),
    clientPackages: toServedPackages(config.clientPackagesDirectory, (directory) =>
      openPackages(directory, parseClientPackage),
    ),
    upgradeUrl: config.upgradeUrl,
    agents: { url: config.agentPublicUrl, port: config.agentPort, isSecure: config.tls !== undefined },
    signingKeys: config.signingKeys,
    printNode: config.printNode,
    ipp: config.ipp,
    publicNetwork,
    optionalTimeoutMs,
  }
  service.diagnostics.add('packages of the agent', async () => {
    const list = await parts.agentPackages?.read()
    const platforms = [...new Set(list?.packages.map(({ platform }) => platform))].toSorted()
    return { agentPackages: { version: list?.version ?? '', platforms } }
  })
  const toCreation = createToCreation(parts)
  const whole = { ...parts, createJob: createJobCreation(parts, toCreation) }
  const gateway: Gateway = { ...whole, ...createAcceptance(whole, toCreation) }
  rateLimited.add(0, {})
  buildInfo.set(1, { service: 'gateway', version: release, schema: 'none' })
  service.readiness.require(untilReached({ ...gateway.health, webhooks: connectRpc(service, Health, webhooks) }))
  return await serveHttp(service, createApp(gateway).callback(), {
    listen: config.listen,
    tls: config.tls,
    hsts: config.hsts,
    publicUrl: config.publicUrl,
    connections: { perAddress: config.connectionsPerAddress, trustedProxies: config.trustedProxies },
    limits: httpLimits,
  })
}

/**
 * @returns a check that fails until each service was ready once. Later failures do not matter: all gateways would leave
 *   the load balancer together, and callers would get no error envelope.
 */
function untilReached(services: Gateway['health']): () => Promise<void> {
  const missing = new Map(Object.entries(services))
  return async () => {
    for (const [name, client] of missing) {
      const { status } = await client.check({})
      if (status !== HealthCheckResponse_ServingStatus.SERVING) throw new Error(`${name} is not ready`)
      missing.delete(name)
    }
  }
}
