/**
 * Every metric of Platen. The place where a fact happens records it. Reference: docs/metrics.md, which a test compares
 * with a running installation. A new metric needs a row there.
 */
import { FINAL_STATES, UNFINISHED_STATES } from '@platen/resources/job-states.ts'
import { CONTENT_TYPES } from '@platen/resources/print-job-schema.ts'
import { END_REASONS } from '@platen/resources/state-reasons.ts'
import { ERROR_CLASS } from '@platen/resources/webhook-delivery-schema.ts'
import { counter, gauge, histogram } from './metric.ts'

const MODES = ['live', 'test']
/** For one request of a caller, another service or a document store. */
const CALL_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
/** From seconds to a day, because a job can wait for its computer. */
const JOB_BUCKETS = [0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600, 14_400, 86_400]

export const httpServerDuration = histogram(
  'http_server_request_duration_seconds',
  'Requests to the REST API, until the response begins.',
  CALL_BUCKETS,
  { route: null, method: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS'], status: null },
)

export const rpcServerDuration = histogram(
  'rpc_server_call_duration_seconds',
  'Calls of other services.',
  CALL_BUCKETS,
  { service: null, method: null, code: null },
)

export const rateLimited = counter(
  'platen_rate_limited_total',
  'Requests to the REST API that were refused with rate_limited.',
  {},
)

export const LIMITS = [
  'connections',
  'connections of an address',
  'downloads',
  'hello rate',
  'message',
  'message rate',
  'printer events',
  'printers',
  'printers of an organization',
  'unread answers',
  'waiting messages',
  'wrong credentials',
] as const
export type Limit = (typeof LIMITS)[number]

export const limitsExceeded = counter(
  'platen_limits_exceeded_total',
  'Connections that a limit refused, messages, calls and reports of agents that one refused or cut, and delayed answers to wrong credentials.',
  { limit: LIMITS },
)

export const signIns = counter('platen_sign_ins_total', 'Codes that were entered to sign in.', {
  outcome: ['succeeded', 'refused'],
})

export const jobsCreated = counter('platen_jobs_created_total', 'Accepted jobs.', { mode: MODES, type: CONTENT_TYPES })

export const jobsEnded = counter('platen_jobs_ended_total', 'Jobs that reached a final state.', {
  mode: MODES,
  state: FINAL_STATES,
  reason: ['none', ...END_REASONS],
})

export const jobsInState = gauge('platen_jobs_in_state', 'Jobs that have not ended.', {
  state: UNFINISHED_STATES,
})

export const jobsOldestWaiting = gauge(
  'platen_jobs_oldest_waiting_seconds',
  'Age of the oldest queued job, also of computers that are offline.',
  { mode: MODES },
)

export const jobDone = histogram(
  'platen_job_done_seconds',
  'Time from the acceptance of a job to done.',
  JOB_BUCKETS,
  {},
)

export const jobsResent = counter('platen_jobs_resent_total', 'Resends of jobs that no agent acknowledged.', {})

export const dispatchDuration = histogram(
  'platen_dispatch_seconds',
  'Time from the acceptance of a job, or the connection of its agent if that is later, until the job is sent.',
  [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  {},
)

export const dispatchOldest = gauge(
  'platen_dispatch_oldest_seconds',
  'Longest time for which a connected computer has had jobs to claim and got none.',
  {},
)

export const agentsConnected = gauge('platen_agents_connected', 'Streams of agents after their hello.', {})

const STREAM_ENDS = ['closed', 'lost', 'silent', 'superseded', 'deleted', 'limit', 'age', 'stopping', 'failed'] as const
export type StreamEnd = (typeof STREAM_ENDS)[number]

export const agentStreamsEnded = counter('platen_agent_streams_ended_total', 'Ended streams of agents.', {
  why: STREAM_ENDS,
})

export const agentHellos = counter('platen_agent_hellos_total', 'Streams that agents opened.', {
  result: [
    'accepted',
    'outdated',
    'unauthenticated',
    'deleted',
    'rate_limited',
    'invalid',
    'late',
    'unavailable',
    'closed',
  ],
})

export const eventLogOldest = gauge(
  'platen_event_log_oldest_seconds',
  'How far the service is behind an event log that it follows, or the stream behind the log of the service.',
  { service: null, log: null },
)

export const eventsRedelivered = counter('platen_events_redelivered_total', 'Messages that were delivered again.', {
  consumer: null,
})

export const webhookAttempts = counter('platen_webhook_attempts_total', 'Ended attempts of webhook deliveries.', {
  outcome: ['succeeded', ...ERROR_CLASS.options],
})

export const webhookOldestDue = gauge(
  'platen_webhook_oldest_due_seconds',
  'How long the oldest due delivery to an endpoint that answers quickly has been due.',
  {},
)

export const alertsEvaluated = gauge(
  'platen_alerts_evaluated_seconds',
  'Time since this replica has compared the problems of computers and printers with the alerts of members.',
  {},
)

export const webhookEndpointsFailing = gauge(
  'platen_webhook_endpoints_failing',
  'Enabled endpoints without a success since their last failure.',
  {},
)

export const fileStoreDuration = histogram(
  'platen_file_store_seconds',
  'Operations of the document store.',
  CALL_BUCKETS,
  { op: ['write', 'read', 'delete'], result: ['ok', 'missing', 'failed', 'aborted'] },
)

export const dbPoolWaiting = gauge('platen_db_pool_waiting', 'Statements that wait for a connection of the pool.', {
  service: null,
})

export const databaseBytes = gauge('platen_database_bytes', 'Size of the database.', {})

export const databaseMaxBytes = gauge(
  'platen_database_max_bytes',
  'Size at which creations are refused, 0 without a limit.',
  {},
)

export const backupAge = gauge(
  'platen_backup_age_seconds',
  'How long ago the last backup was made that is recorded in the database.',
  {},
)

export const partitionsOverdue = gauge(
  'platen_partitions_overdue_seconds',
  'How long ago the oldest day of the table should have been deleted.',
  { service: null, table: null },
)

export const dbUnavailable = counter(
  'platen_db_unavailable_total',
  'Statements that failed because the database was not available.',
  { service: null },
)

export const eventLoopDelay = gauge(
  'nodejs_eventloop_delay_p99_seconds',
  '99th percentile of the delay of the event loop since the metrics were last read.',
  {},
)

export const buildInfo = gauge('platen_build_info', 'Always 1. The schema is the last migration of the service.', {
  service: null,
  version: null,
  schema: null,
})
