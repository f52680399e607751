/** Computers, printers and the agents' streams. Composes the service; `services/main.ts` runs it. */
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { HELLO_LIMITS, ORGANIZATION_MESSAGES, PRINTER_REPORT_LIMITS } from '@platen/resources/limits.ts'
import { openAgentPackages } from '@platen/runtime/agent-packages.ts'
import { type Clock, systemClock } from '@platen/runtime/clock.ts'
import { openDatabaseWithLists } from '@platen/runtime/database/database.ts'
import { startPartitions } from '@platen/runtime/database/partitions.ts'
import { startPublishing } from '@platen/runtime/event-log/publish.ts'
import { readEventLog } from '@platen/runtime/event-log/read.ts'
import { eventLogPartitions } from '@platen/runtime/event-log/table.ts'
import { openFileStore } from '@platen/runtime/file-store/open-file-store.ts'
import { connectNats } from '@platen/runtime/messaging/nats.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { connectRpc } from '@platen/runtime/rpc/client.ts'
import { serveRpc } from '@platen/runtime/rpc/server.ts'
import { followSuspended } from '@platen/runtime/suspended-organizations.ts'
import { createLimitReport } from '@platen/runtime/telemetry/limit-reports.ts'
import { startTimer } from '@platen/runtime/timers.ts'
import { TokenBuckets } from '@platen/runtime/token-bucket.ts'
import { createAgentUpdates } from './agents/agent-updates.ts'
import { createCredentials } from './agents/authenticate.ts'
import { createClaims } from './agents/claims.ts'
import { createCommandSigner } from './agents/command-signer.ts'
import { createComputerPrinters } from './agents/computer-printers.ts'
import { HEARTBEATS_MISSED_MAX } from './agents/connect.ts'
import { createConnections, measureConnections } from './agents/connections.ts'
import { listenForDeletions } from './agents/deletion.ts'
import { Downloads } from './agents/downloads.ts'
import { listenForCommands } from './agents/route-commands.ts'
import { serveAgents } from './agents/server.ts'
import { listenForTakeovers } from './agents/takeover.ts'
import { listenForWaitingJobs } from './agents/waiting-jobs.ts'
import type { Config } from './config.ts'
import { createDestinationTurns } from './destinations/destination-turns.ts'
import type { Devices } from './devices.ts'
import { ENTITIES } from './entities.ts'
import { MIGRATIONS } from './migrations/migrations.ts'
import { createPresence } from './presence.ts'
import { createPrinterTexts } from './printer-texts.ts'
import { collectDiagnostics } from './rpc/collect-diagnostics.ts'
import { countComputers } from './rpc/count-computers.ts'
import { createDestination } from './rpc/create-destination.ts'
import { createEnrollment } from './rpc/create-enrollment.ts'
import { deleteComputer } from './rpc/delete-computer.ts'
import { deleteDestination } from './rpc/delete-destination.ts'
import { deleteEnrollment } from './rpc/delete-enrollment.ts'
import { deleteOrganization } from './rpc/delete-organization.ts'
import { enroll } from './rpc/enroll.ts'
import { enrollTestComputer } from './rpc/enroll-test-computer.ts'
import { findEnrollments } from './rpc/find-enrollments.ts'
import { findPrinters } from './rpc/find-printers.ts'
import { getComputer } from './rpc/get-computer.ts'
import { getDestination } from './rpc/get-destination.ts'
import { getPrinter } from './rpc/get-printer.ts'
import { getSharedDestination } from './rpc/get-shared-destination.ts'
import { getSharedPrinter } from './rpc/get-shared-printer.ts'
import { leaseTestComputers } from './rpc/lease-test-computers.ts'
import { listComputerNames } from './rpc/list-computer-names.ts'
import { listComputers } from './rpc/list-computers.ts'
import { listDestinations } from './rpc/list-destinations.ts'
import { listDiagnostics } from './rpc/list-diagnostics.ts'
import { listEnrollments } from './rpc/list-enrollments.ts'
import { listNumberedComputers } from './rpc/list-numbered-computers.ts'
import { listNumberedPrinters } from './rpc/list-numbered-printers.ts'
import { listOfflineOrganizations } from './rpc/list-offline-organizations.ts'
import { listPrinters } from './rpc/list-printers.ts'
import { listProblems } from './rpc/list-problems.ts'
import { pauseComputer } from './rpc/pause-computer.ts'
import { releaseTestComputers } from './rpc/release-test-computers.ts'
import { resolveDestination } from './rpc/resolve-destination.ts'
import { resolvePrinter } from './rpc/resolve-printer.ts'
import { runCommand } from './rpc/run-command.ts'
import { summarizeDevices } from './rpc/summarize-devices.ts'
import { updateDestination } from './rpc/update-destination.ts'
import { updatePrinter } from './rpc/update-printer.ts'
import { sweepDeleted } from './timers/sweep-deleted.ts'
import { sweepEnded } from './timers/sweep-ended.ts'
import { sweepLost } from './timers/sweep-lost.ts'
import { sweepPresence } from './timers/sweep-presence.ts'
import { sweepPrinterStates } from './timers/sweep-printer-states.ts'

const FLUSH_PRESENCE_EVERY_MS = 5_000
/** For short heartbeat intervals, because a late flush counts as silence. */
const FLUSHES_PER_HEARTBEAT = 4
const SWEEP_PRESENCE_EVERY_MS = 1_000
const SWEEP_PRINTER_STATES_EVERY_MS = 1_000
const SWEEP_LOST_EVERY_MS = 5_000
const SWEEPS_PER_TIMEOUT = 4
const SWEEP_DELETED_EVERY_MS = 1_000
const SWEEP_ENDED_EVERY_MS = 10 * 60_000
/** More than a replica has streams. */
const RATES_MAX = 20_000

export async function startDevices(
  service: ServiceProcess,
  config: Config,
  clock: Clock = systemClock,
): Promise<Devices> {
  const schema = 'devices'
  const [{ orm, pool, lists }, nats] = await Promise.all([
    openDatabaseWithLists(service, {
      settings: config.database,
      schema,
      entities: ENTITIES,
      migrations: MIGRATIONS,
    }),
    connectNats(service, config.nats),
  ])
  await startPartitions(service, clock, { schema, server: config.database.server, tables: [eventLogPartitions] })
  const eventsAdded = startPublishing(service, nats, { schema, pool })
  const accounts = connectRpc(service, AccountsService, { url: config.accountsUrl, key: config.rpcKey })
  const jobs = connectRpc(service, JobsService, { url: config.jobsUrl, key: config.rpcKey })
  const printers = createComputerPrinters(nats.connection, pool, clock)
  const devices: Devices = {
    orm,
    pool,
    lists,
    nats,
    jobs,
    clock,
    files: await openFileStore(service, config.fileStoreUrl, config.nats),
    log: service.log,
    limitExceeded: createLimitReport(service.log),
    heartbeatSeconds: config.heartbeatSeconds,
    streamMaxMs: config.streamMaxMs,
    credentialMs: config.credentialMs,
    connections: createConnections(),
    commandSigner: createCommandSigner(config.rpcKey, clock),
    credentials: createCredentials(pool),
    helloRates: new TokenBuckets(HELLO_LIMITS, RATES_MAX),
    printerEventRates: new TokenBuckets(PRINTER_REPORT_LIMITS.events, RATES_MAX),
    organizationEventRates: new TokenBuckets(PRINTER_REPORT_LIMITS.organizationEvents, RATES_MAX),
    messageRates: new TokenBuckets(ORGANIZATION_MESSAGES, RATES_MAX),
    computersMax: config.computersMax,
    suspended: followSuspended(service, accounts),
    downloads: new Downloads(),
    printers,
    printerTexts: createPrinterTexts(),
    claims: createClaims(jobs, printers),
    destinationTurns: createDestinationTurns(() => devices),
    updates: createAgentUpdates(jobs),
    presence: createPresence({ pool, clock, eventsAdded }),
    agentPackages: openAgentPackages(config.agentPackagesDirectory),
    eventsAdded,
  }
  measureConnections(devices.connections)
  service.diagnostics.add('agents', () => ({ connectedAgents: devices.connections.all().length }))
  const heartbeatMs = config.heartbeatSeconds * 1000
  const limits = { graceMs: config.offlineGraceMs, silentMs: heartbeatMs * HEARTBEATS_MISSED_MAX }
  const flushEveryMs = Math.min(FLUSH_PRESENCE_EVERY_MS, heartbeatMs / FLUSHES_PER_HEARTBEAT)
  startTimer(service, 'presence', flushEveryMs, () => devices.presence.flush())
  startTimer(service, 'offline', SWEEP_PRESENCE_EVERY_MS, () => sweepPresence(devices, limits))
  startTimer(service, 'printer states', SWEEP_PRINTER_STATES_EVERY_MS, () =>
    sweepPrinterStates(devices, config.printerStateMs),
  )
  const sweepLostEveryMs = Math.min(SWEEP_LOST_EVERY_MS, config.agentLostMs / SWEEPS_PER_TIMEOUT)
  startTimer(service, 'lost', sweepLostEveryMs, () => sweepLost(devices, config.agentLostMs))
  startTimer(service, 'deleted', SWEEP_DELETED_EVERY_MS, () => sweepDeleted(devices))
  startTimer(service, 'ended', SWEEP_ENDED_EVERY_MS, () => sweepEnded(devices))
  await serveRpc(service, {
    ...config.rpc,
    routes: (router) =>
      router.service(DevicesService, {
        getPrinter: (request) => getPrinter(devices, request),
        getSharedPrinter: (request) => getSharedPrinter(devices, request),
        getSharedDestination: (request) => getSharedDestination(devices, request),
        resolvePrinter: (request) => resolvePrinter(devices, request),
        findPrinters: (request) => findPrinters(devices, request),
        listPrinters: (request) => listPrinters(devices, request),
        getComputer: (request) => getComputer(devices, request),
        listComputers: (request) => listComputers(devices, request),
        listNumberedComputers: (request) => listNumberedComputers(devices, request),
        listNumberedPrinters: (request) => listNumberedPrinters(devices, request),
        countComputers: (request) => countComputers(devices, request),
        enrollTestComputer: (request) => enrollTestComputer(devices, request),
        leaseTestComputers: (request) => leaseTestComputers(devices, request),
        releaseTestComputers: (request) => releaseTestComputers(devices, request),
        updatePrinter: (request) => updatePrinter(devices, request),
        getDestination: (request) => getDestination(devices, request),
        resolveDestination: (request) => resolveDestination(devices, request),
        listDestinations: (request) => listDestinations(devices, request),
        createDestination: (request) => createDestination(devices, request),
        updateDestination: (request) => updateDestination(devices, request),
        deleteDestination: (request) => deleteDestination(devices, request),
        deleteComputer: (request) => deleteComputer(devices, request),
        deleteOrganization: (request) => deleteOrganization(devices, request),
        runCommand: (request) => runCommand(devices, request),
        collectDiagnostics: (request) => collectDiagnostics(devices, request),
        listDiagnostics: (request) => listDiagnostics(devices, request),
        pauseComputer: (request) => pauseComputer(devices, request),
        createEnrollment: (request) => createEnrollment(devices, request),
        listEnrollments: (request) => listEnrollments(devices, request),
        deleteEnrollment: (request) => deleteEnrollment(devices, request),
        findEnrollments: (request) => findEnrollments(devices, request),
        enroll: (request) => enroll(devices, request),
        listOfflineOrganizations: (request) => listOfflineOrganizations(devices, request),
        listComputerNames: (request) => listComputerNames(devices, request),
        summarizeDevices: (request) => summarizeDevices(devices, request),
        listProblems: (request) => listProblems(devices, request),
        readEventLog: (request) => readEventLog(pool, schema, request),
      }),
  })
  listenForTakeovers(service, devices)
  listenForDeletions(service, devices)
  listenForWaitingJobs(service, devices)
  listenForCommands(service, devices)
  await serveAgents(service, devices, config.agents)
  return devices
}
