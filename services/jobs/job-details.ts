/** A job with the facts that explain its progress. For the explanation of the API and for `platen inspect`. */
import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { JobDetailsSchema, type PrinterQueue } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { type Job, JobEventEntity } from './entities.ts'
import { jobEventToProto, jobToProto } from './job-to-proto.ts'
import type { Jobs } from './jobs.ts'

type Context = Pick<Jobs, 'orm' | 'pool' | 'fileRetentionMs' | 'printingTimeoutMs'>

/** A job that is not acknowledged for days has thousands. */
const EVENTS_MAX = 200
/** Bounds the time of a request: with 10,000 jobs about 5 ms. */
const QUEUE_MAX = 10_000

/** Scans the index `job_active` of the computer in the order of acceptance. Returns no row for a job that has ended. Takes no locks. */
const QUEUE = `
WITH this AS (SELECT computer_id, printer_id, accepted_order FROM jobs.job WHERE id = $1 AND final_state IS NULL),
active AS MATERIALIZED (
  SELECT job.id, job.printer_id = this.printer_id AS same_printer, job.accepted_order, job.state
  FROM this JOIN jobs.job USING (computer_id) WHERE job.final_state IS NULL ORDER BY job.accepted_order LIMIT ${QUEUE_MAX}
),
counted AS (
  SELECT count(*) FILTER (WHERE same_printer)::int AS length,
    count(*) FILTER (WHERE same_printer AND accepted_order <= (SELECT accepted_order FROM this))::int AS position,
    bool_or(id = $1) AS found,
    count(*) FILTER (WHERE state = 'sent')::int AS unacknowledged,
    min(accepted_order) FILTER (WHERE same_printer) AS head
  FROM active
)
SELECT length, CASE WHEN found THEN position ELSE 0 END AS position, unacknowledged,
  COALESCE((SELECT id::text FROM active WHERE accepted_order = head), '') AS "headJobId"
FROM counted WHERE EXISTS (SELECT FROM this)`

export async function readJobDetails(jobs: Context, job: Job) {
  const [events, queue] = await Promise.all([
    jobs.orm.em.fork().find(JobEventEntity, { jobId: job.id }, { orderBy: { sequence: 'desc' }, limit: EVENTS_MAX }),
    job.finishedAt ? undefined : readQueue(jobs, job.id),
  ])
  return create(JobDetailsSchema, {
    job: jobToProto(job),
    events: events.toReversed().map(jobEventToProto),
    attempt: job.attempt,
    isFetching: isFetching(job),
    documentKeptUntil: hasDocument(job) ? after(job.createdAt, jobs.fileRetentionMs) : undefined,
    queue,
    printingUntil:
      job.state === 'printing' && job.printingAt ? after(job.printingAt, jobs.printingTimeoutMs) : undefined,
    traceparent: job.traceparent,
  })
}

type Document = Pick<Job, 'storageKey' | 'hasInlineDocument' | 'finishedAt'>

/** The job has a document, which may be deleted. */
export const hasDocument = ({ storageKey, hasInlineDocument }: Document) => storageKey !== null || hasInlineDocument

/** The document is not fetched from its URL yet. */
export const isFetching = (job: Document) => !hasDocument(job) && job.finishedAt === null

async function readQueue({ pool }: Context, jobId: string) {
  const { rows } = await pool.query<Omit<PrinterQueue, '$typeName'>>({
    name: 'printer queue',
    text: QUEUE,
    values: [jobId],
  })
  return rows[0]
}

const after = (time: Date, ms: number) => timestampFromDate(new Date(time.getTime() + ms))
