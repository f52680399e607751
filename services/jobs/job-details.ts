/** A job with the facts that explain its progress. For the explanation of the API and for `platen-server inspect`. */
import { create, fromJson } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { JobDetailsSchema, PassedPrinterSchema, type PrinterQueue } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { IS_BEHIND_BATCH } from './claims/begun-batches.ts'
import { type Job, JobEntity, type JobEvent, JobEventEntity } from './entities.ts'
import type { Jobs } from './jobs.ts'
import { jobEventToProto, jobToProto } from './jobs-to-proto.ts'
import { IS_ACTIVE, IS_HELD_BACK } from './states.ts'

type Queue = Pick<PrinterQueue, 'position' | 'length' | 'headJobId' | 'unacknowledged' | 'batchBefore' | 'batchBegun'>
type Context = Pick<Jobs, 'orm' | 'pool' | 'fileRetentionMs' | 'printingTimeoutMs'>

/** A job that is not acknowledged for days has thousands. */
const EVENTS_MAX = 200
/** Bounds the time of a request, because an organization can have 100,000 unfinished jobs. */
const QUEUE_MAX = 1_000

/**
 * The statement scans the index `job_active` of the computer, or `job_waiting` of the destination, in the order of
 * acceptance. It returns no row for a job that has ended. Takes no locks.
 */
const QUEUE = `
WITH this AS (
  SELECT computer_id, printer_id, batch_id, accepted_order, waiting_destination_id FROM jobs.job
  WHERE id = $1 AND final_state IS NULL
),
active AS MATERIALIZED (
  SELECT first.*, first.printer_id = this.printer_id AS same_printer FROM this CROSS JOIN LATERAL (
    SELECT id, printer_id, batch_id, accepted_order, state FROM jobs.job
    WHERE job.computer_id = this.computer_id AND ${IS_ACTIVE} AND this.waiting_destination_id IS NULL
      AND (id = $1 OR NOT ${IS_HELD_BACK}) ORDER BY accepted_order LIMIT ${QUEUE_MAX}
  ) AS first
  UNION ALL
  SELECT first.*, true FROM this CROSS JOIN LATERAL (
    SELECT id, printer_id, batch_id, accepted_order, state FROM jobs.job
    WHERE job.waiting_destination_id = this.waiting_destination_id AND (id = $1 OR NOT ${IS_HELD_BACK})
    ORDER BY accepted_order LIMIT ${QUEUE_MAX}
  ) AS first
),
counted AS (
  SELECT count(*) FILTER (WHERE same_printer)::int AS length,
    count(*) FILTER (WHERE same_printer AND accepted_order <= (SELECT accepted_order FROM this))::int AS position,
    count(*) FILTER (WHERE same_printer AND batch_id = (SELECT batch_id FROM this)
      AND accepted_order < (SELECT accepted_order FROM this))::int
      AS batch_before,
    bool_or(id = $1) AS found,
    count(*) FILTER (WHERE state = 'sent')::int AS unacknowledged,
    min(accepted_order) FILTER (WHERE same_printer) AS head
  FROM active
)
SELECT length, CASE WHEN found THEN position ELSE 0 END AS position, unacknowledged,
  COALESCE((SELECT id::text FROM active WHERE accepted_order = head), '') AS "headJobId", batch_before AS "batchBefore",
  COALESCE((SELECT ${IS_BEHIND_BATCH} FROM this AS job), false) AS "batchBegun"
FROM counted WHERE EXISTS (SELECT FROM this)`

/** @returns undefined if no job matches. */
export async function readJobDetails(jobs: Context, where: { id: string; organizationId?: string; mode?: string }) {
  const em = jobs.orm.em.fork()
  // At once, because most requests are for jobs that exist. Nothing of another organization's job is returned.
  const [job, events, queue] = await Promise.all([
    em.findOne(JobEntity, where),
    em.find(JobEventEntity, { jobId: where.id }, { orderBy: { sequence: 'desc' }, limit: EVENTS_MAX }),
    readQueue(jobs, where.id),
  ])
  return job ? { job, details: toDetails(jobs, job, events, queue) } : undefined
}

function toDetails(jobs: Context, job: Job, events: JobEvent[], queue: Queue | undefined) {
  return create(JobDetailsSchema, {
    job: jobToProto(job),
    events: events.toReversed().map(jobEventToProto),
    attempt: job.attempt,
    isFetching: isFetching(job),
    documentKeptUntil: hasDocument(job) && job.retain ? after(job.createdAt, jobs.fileRetentionMs) : undefined,
    queue,
    passedPrinters: (job.passedPrinters ?? []).map((passed) => fromJson(PassedPrinterSchema, passed)),
    printingUntil:
      job.state === 'printing' && job.printingAt ? after(job.printingAt, jobs.printingTimeoutMs) : undefined,
    traceparent: job.traceparent,
  })
}

type Document = Pick<Job, 'fileSha256' | 'storageKey' | 'hasInlineDocument' | 'finishedAt'>

/**
 * The job has a document, which may be deleted. An uploaded image, which is stored as well, has no SHA-256 before it is
 * converted.
 */
export const hasDocument = ({ fileSha256, storageKey, hasInlineDocument }: Document) =>
  fileSha256 !== null && (storageKey !== null || hasInlineDocument)

/** The document is not fetched from its URL yet. */
export const isFetching = (job: Document) => !hasDocument(job) && job.finishedAt === null

async function readQueue({ pool }: Context, jobId: string) {
  const { rows } = await pool.query<Queue>({
    name: 'printer queue',
    text: QUEUE,
    values: [jobId],
  })
  return rows[0]
}

const after = (time: Date, ms: number) => timestampFromDate(new Date(time.getTime() + ms))
