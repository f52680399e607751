/** Jobs, their events and their states. Composes the service; `services/main.ts` runs it. */
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { WAITING_JOBS_SUBJECT } from '@platen/proto/subjects.ts'
import { type Clock, systemClock } from '@platen/runtime/clock.ts'
import { openDatabaseWithLists } from '@platen/runtime/database/database.ts'
import { startPartitions } from '@platen/runtime/database/partitions.ts'
import { startPublishing } from '@platen/runtime/event-log/publish.ts'
import { readEventLog } from '@platen/runtime/event-log/read.ts'
import { eventLogPartitions } from '@platen/runtime/event-log/table.ts'
import { createPublicNetwork } from '@platen/runtime/fetch/public-network.ts'
import { openFileStore } from '@platen/runtime/file-store/open-file-store.ts'
import { connectNats } from '@platen/runtime/messaging/nats.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { serveRpc } from '@platen/runtime/rpc/server.ts'
import { areMetricsOn, MEASURE_EVERY_MS } from '@platen/runtime/telemetry/metric.ts'
import { jobsResent } from '@platen/runtime/telemetry/metrics.ts'
import { startTimer } from '@platen/runtime/timers.ts'
import type { Config } from './config.ts'
import { documentPartitions } from './documents/inline-documents.ts'
import { createRecentDocuments } from './documents/recent-documents.ts'
import { ENTITIES } from './entities.ts'
import { startFetcher } from './fetches/fetcher.ts'
import { createSourceBox } from './fetches/source-box.ts'
import { createConversions } from './images/conversions.ts'
import type { Jobs } from './jobs.ts'
import { createDatabaseLimit } from './limits/database-limit.ts'
import { measureLastBackup, readLastBackup } from './limits/last-backup.ts'
import { createJobsPerDayQuota, createStoredBytesQuota, createUnfinishedJobsQuota } from './limits/quotas.ts'
import { MIGRATIONS } from './migrations/migrations.ts'
import { cancelBatch } from './rpc/cancel-batch.ts'
import { cancelJob } from './rpc/cancel-job.ts'
import { claimDestinationJob } from './rpc/claim-destination-job.ts'
import { claimJobs } from './rpc/claim-jobs.ts'
import { confirmRemoval } from './rpc/confirm-removal.ts'
import { countTestJobsToday } from './rpc/count-test-jobs-today.ts'
import { createBatch } from './rpc/create-batch.ts'
import { createJobs } from './rpc/create-jobs.ts'
import { createSubmissions } from './rpc/create-submission.ts'
import { deleteOrganization } from './rpc/delete-organization.ts'
import { describeDestinations } from './rpc/describe-destinations.ts'
import { endComputer } from './rpc/end-computer.ts'
import { endDestination } from './rpc/end-destination.ts'
import { endLostAgents } from './rpc/end-lost-agents.ts'
import { endSubmission } from './rpc/end-submission.ts'
import { extendSubmission } from './rpc/extend-submission.ts'
import { fenceDestination } from './rpc/fence-destination.ts'
import { getDocument } from './rpc/get-document.ts'
import { getIdempotencyKey } from './rpc/get-idempotency-key.ts'
import { getJob } from './rpc/get-job.ts'
import { getJobDetails } from './rpc/get-job-details.ts'
import { getStoredDocument } from './rpc/get-stored-document.ts'
import { inspectJob } from './rpc/inspect-job.ts'
import { listJobEvents } from './rpc/list-job-events.ts'
import { listJobs } from './rpc/list-jobs.ts'
import { listLastPrints } from './rpc/list-last-prints.ts'
import { createNumberedList } from './rpc/list-numbered-jobs.ts'
import { listPrinterQueues } from './rpc/list-printer-queues.ts'
import { createSubmissionList } from './rpc/list-submissions.ts'
import { listWaitingPrinters } from './rpc/list-waiting-printers.ts'
import { purgePrinter } from './rpc/purge-printer.ts'
import { reconcileComputer } from './rpc/reconcile-computer.ts'
import { recordAgentUpdates } from './rpc/record-agent-updates.ts'
import { releaseJob } from './rpc/release-job.ts'
import { searchJobs } from './rpc/search-jobs.ts'
import { announceWaiting } from './timers/announce-waiting.ts'
import { measureJobs, readOldestWaiting } from './timers/measure-jobs.ts'
import { releaseScheduled } from './timers/release-scheduled.ts'
import { settleWaiting } from './timers/settle-waiting.ts'
import { sweepDeletedComputers } from './timers/sweep-deleted-computers.ts'
import { sweepDeletedDestinations } from './timers/sweep-deleted-destinations.ts'
import { sweepDiscarded } from './timers/sweep-discarded.ts'
import { sweepDocuments } from './timers/sweep-documents.ts'
import { sweepExpired } from './timers/sweep-expired.ts'
import { sweepFetches } from './timers/sweep-fetches.ts'
import { sweepOldJobs } from './timers/sweep-old-jobs.ts'
import { sweepOldRows } from './timers/sweep-old-rows.ts'
import { sweepOverdue } from './timers/sweep-overdue.ts'
import { sweepSubmissions } from './timers/sweep-submissions.ts'
import { sweepUnacknowledged } from './timers/sweep-unacknowledged.ts'

const SWEEP_EXPIRED_EVERY_MS = 250
/**
 * Longest intervals of sweeps that read all unfinished jobs, for default timeouts of 1 and 15 minutes. Shorter for
 * shorter timeouts.
 */
const SWEEP_UNACKNOWLEDGED_EVERY_MS = 2_000
const SWEEP_OVERDUE_EVERY_MS = 5_000
const SWEEPS_PER_TIMEOUT = 4
const SWEEP_FETCHES_EVERY_MS = 1_000
const ANNOUNCE_EVERY_MS = 2_000
/** Jobs of one message: 80 KiB, while NATS allows 1 MiB. */
const ANNOUNCED_PER_MESSAGE_MAX = 1_000
/** Documented as the time in which an organization can exceed its limits. */
const SWEEP_QUOTAS_EVERY_MS = 5_000
/** The interval of the age of the last backup, too. */
const SWEEP_DATABASE_SIZE_EVERY_MS = 30_000
const SWEEP_DELETED_EVERY_MS = 2_000
const SETTLE_WAITING_EVERY_MS = 10_000
const SWEEP_DISCARDED_EVERY_MS = 1_000
const SWEEP_SUBMISSIONS_EVERY_MS = 10_000
const SWEEP_DOCUMENTS_EVERY_MS = 10 * 60_000
/** The deletion of expired rows. An `Idempotency-Key` is valid until its deletion. */
const DELETE_ROWS_EVERY_MS = 60_000

export async function startJobs(
  service: ServiceProcess,
  config: Config,
  clock: Clock = systemClock,
  network = createPublicNetwork({ allowed: config.allowedNetworks }),
): Promise<Jobs> {
  const schema = 'jobs'
  service.diagnostics.addSecret('PLATEN_FETCH_KEY', config.fetchKey)
  const [database, nats] = await Promise.all([
    openDatabaseWithLists(service, {
      settings: config.database,
      schema,
      entities: ENTITIES,
      migrations: MIGRATIONS,
    }),
    connectNats(service, config.nats),
  ])
  await startPartitions(service, clock, {
    schema,
    server: config.database.server,
    tables: [eventLogPartitions, documentPartitions(config.fileRetentionMs)],
  })
  const files = await openFileStore(service, config.fileStoreUrl, config.nats)
  const jobs: Jobs = {
    pool: database.pool,
    lists: database.lists,
    orm: database.orm,
    clock,
    testJobsPerDay: config.testJobsPerDay,
    unfinishedJobs: createUnfinishedJobsQuota(database.pool, config.unfinishedJobsMax),
    storedBytes: createStoredBytesQuota(
      { pool: database.pool, clock, fileRetentionMs: config.fileRetentionMs },
      config.storedBytesMax,
    ),
    jobsPerDay: createJobsPerDayQuota({ pool: database.pool, clock }, config.jobsPerDayMax),
    databaseLimit: createDatabaseLimit(database.pool, config.databaseMaxBytes),
    idempotencyKeyMs: config.idempotencyKeyMs,
    sourceBox: createSourceBox(config.fetchKey),
    recentDocuments: createRecentDocuments(),
    fetchHeldMs: config.fetchHeldMs,
    fileRetentionMs: config.fileRetentionMs,
    printingTimeoutMs: config.printingTimeoutMs,
    fetchesAdded: () => fetcher.wake(),
    eventsAdded: startPublishing(service, nats, { schema, pool: database.pool }),
    announceWaiting(waiting) {
      for (let n = 0; n < waiting.length; n += ANNOUNCED_PER_MESSAGE_MAX)
        nats.connection.publish(WAITING_JOBS_SUBJECT, JSON.stringify(waiting.slice(n, n + ANNOUNCED_PER_MESSAGE_MAX)))
    },
  }
  jobsResent.add(0, {})
  service.diagnostics.add('jobs', async () => ({ oldestWaitingSeconds: await readOldestWaiting(jobs) }))
  service.diagnostics.add('size of the database', async () => {
    const { bytes, maxBytes } = await jobs.databaseLimit.measure()
    return { databaseSize: { bytes: BigInt(bytes), maxBytes: BigInt(maxBytes) } }
  })
  service.diagnostics.add('last backup', async () => {
    const time = await readLastBackup(database.pool)
    return { lastBackup: time ? { madeAt: timestampFromDate(time) } : {} }
  })
  const fetcher = startFetcher(service, jobs, {
    network,
    files,
    conversions: createConversions(),
    deadlineMs: config.fetchTimeoutMs,
    allowedNetworksDetails: config.allowedNetworksDetails,
  })
  startTimer(service, 'fetches', SWEEP_FETCHES_EVERY_MS, () => sweepFetches(jobs))
  const sweepUnacknowledgedEveryMs = Math.min(SWEEP_UNACKNOWLEDGED_EVERY_MS, config.resendAfterMs / SWEEPS_PER_TIMEOUT)
  startTimer(
    service,
    'unacknowledged',
    sweepUnacknowledgedEveryMs,
    () => sweepUnacknowledged(jobs, config.resendAfterMs),
    { readsAll: true },
  )
  startTimer(service, 'expired', SWEEP_EXPIRED_EVERY_MS, () => sweepExpired(jobs))
  const sweepOverdueEveryMs = Math.min(SWEEP_OVERDUE_EVERY_MS, config.printingTimeoutMs / SWEEPS_PER_TIMEOUT)
  startTimer(service, 'overdue', sweepOverdueEveryMs, () => sweepOverdue(jobs), { readsAll: true })
  startTimer(service, 'scheduled', ANNOUNCE_EVERY_MS, () => releaseScheduled(jobs))
  startTimer(service, 'announce waiting', ANNOUNCE_EVERY_MS, () => announceWaiting(jobs), { readsAll: true })
  if (areMetricsOn()) startTimer(service, 'metrics', MEASURE_EVERY_MS, () => measureJobs(jobs), { readsAll: true })
  const quotas = [jobs.unfinishedJobs, jobs.storedBytes, jobs.jobsPerDay]
  const sweepQuotas = () => Promise.all(quotas.map((quota) => quota.sweep()))
  startTimer(service, 'quotas', SWEEP_QUOTAS_EVERY_MS, sweepQuotas, { readsAll: true })
  startTimer(service, 'last backup', SWEEP_DATABASE_SIZE_EVERY_MS, () => measureLastBackup(database.pool, clock))
  startTimer(service, 'database size', SWEEP_DATABASE_SIZE_EVERY_MS, jobs.databaseLimit.sweep)
  startTimer(service, 'deleted computers', SWEEP_DELETED_EVERY_MS, () => sweepDeletedComputers(jobs))
  startTimer(service, 'deleted destinations', SWEEP_DELETED_EVERY_MS, () => sweepDeletedDestinations(jobs))
  startTimer(service, 'taken by release 0.1.0', SETTLE_WAITING_EVERY_MS, () => settleWaiting(jobs), { readsAll: true })
  startTimer(service, 'discarded documents', SWEEP_DISCARDED_EVERY_MS, () =>
    sweepDiscarded(jobs, files, service.stopping),
  )
  startTimer(service, 'documents', SWEEP_DOCUMENTS_EVERY_MS, () => sweepDocuments(jobs, files, service.stopping))
  startTimer(service, 'submissions', SWEEP_SUBMISSIONS_EVERY_MS, () => sweepSubmissions(jobs))
  startTimer(service, 'old rows', DELETE_ROWS_EVERY_MS, () => sweepOldRows(jobs))
  if (config.jobRetentionMs > 0)
    startTimer(service, 'old jobs', DELETE_ROWS_EVERY_MS, () =>
      sweepOldJobs(jobs, config.jobRetentionMs, service.stopping),
    )
  await serveRpc(service, {
    ...config.rpc,
    routes: (router) =>
      router.service(JobsService, {
        createJobs: (request) => createJobs(jobs, request),
        createBatch: (request) => createBatch(jobs, request),
        cancelBatch: (request) => cancelBatch(jobs, request),
        getIdempotencyKey: (request) => getIdempotencyKey(jobs, request),
        getJob: (request) => getJob(jobs, request),
        getJobDetails: (request) => getJobDetails(jobs, request),
        getStoredDocument: (request) => getStoredDocument(jobs, request),
        listJobEvents: (request) => listJobEvents(jobs, request),
        listJobs: (request) => listJobs(jobs, request),
        searchJobs: (request) => searchJobs(jobs, request),
        listNumberedJobs: createNumberedList(jobs),
        listPrinterQueues: (request) => listPrinterQueues(jobs, request),
        listLastPrints: (request) => listLastPrints(jobs, request),
        listWaitingPrinters: (request) => listWaitingPrinters(jobs, request),
        createSubmission: createSubmissions(jobs),
        listSubmissions: createSubmissionList(jobs),
        extendSubmission: (request) => extendSubmission(jobs, request),
        endSubmission: (request) => endSubmission(jobs, request),
        cancelJob: (request) => cancelJob(jobs, request),
        releaseJob: (request) => releaseJob(jobs, request),
        purgePrinter: (request) => purgePrinter(jobs, request),
        reconcileComputer: (request) => reconcileComputer(jobs, request),
        claimJobs: (request) => claimJobs(jobs, request),
        claimDestinationJob: (request) => claimDestinationJob(jobs, request),
        fenceDestination: (request) => fenceDestination(jobs, request),
        endDestination: (request) => endDestination(jobs, request),
        describeDestinations: (request) => describeDestinations(jobs, request),
        getDocument: (request) => getDocument(jobs, request),
        recordAgentUpdates: (request) => recordAgentUpdates(jobs, request),
        confirmRemoval: (request) => confirmRemoval(jobs, request),
        endLostAgents: (request) => endLostAgents(jobs, request),
        deleteOrganization: (request) => deleteOrganization(jobs, files, request),
        endComputer: (request) => endComputer(jobs, request),
        readEventLog: (request) => readEventLog(jobs.pool, schema, request, 'created_by'),
        inspectJob: (request) => inspectJob(jobs, request),
        countTestJobsToday: (request) => countTestJobsToday(jobs, request),
      }),
  })
  return jobs
}
