/**
 * The statement of every `201`. Creates any number of jobs, each with its first event, event log entry, small document,
 * count, `Idempotency-Key` and the encrypted source of its fetch, in one round trip and one transaction. Numbers the
 * jobs of an organization and mode in their order, from the last number, which the statement locks with the count. A
 * number of a statement that fails is not lost.
 *
 * Its parameters are the items of `toItems` as JSON, the small documents one after the other, and the id of a batch.
 * Jobs without a batch are created or refused separately; the jobs of a batch are created together, or none of them.
 */
import { NUMBER } from '@platen/resources/limits.ts'
import { NEW_JOB_COLUMNS } from './entities.ts'
import { eventBody } from './event-body.ts'

const COLUMNS = `${Object.keys(NEW_JOB_COLUMNS).join(', ')}, number`

const ITEM = `${Object.entries(NEW_JOB_COLUMNS)
  .map((column) => column.join(' '))
  .join(
    ', ',
  )}, ordinal int, actor text, period date, count_max bigint, key text, body_hash text, content_start int, content_bytes int,
  host_digest text, encrypted_source text, original_created_at timestamptz, refused boolean, submitted boolean`

/** Columns of the event body that have no value in the item. */
const QUEUED = `'queued' AS state, NULL::text AS state_message, 1 AS version, NULL::timestamptz AS sent_at,
  NULL::timestamptz AS received_at, NULL::timestamptz AS printing_at, NULL::timestamptz AS finished_at, NULL::text AS confirmed_by`

/**
 * Locks the deletion mark, so that a document that a reprint shares is not deleted before the commit
 * (`timers/sweep-documents.ts`). Reprints do not wait for each other.
 */
const DELETION_MARK = `deletion_mark AS (
  SELECT swept_until FROM jobs.document_sweep
  WHERE EXISTS (SELECT FROM item WHERE original_created_at IS NOT NULL) FOR SHARE
)`

/** What differs for a batch, and for jobs with more than their own row. */
interface Parts {
  batchId: string
  /** SQL: conditions of the jobs that can be created, and of the count of an organization. */
  creatable: string
  countable: string
  /**
   * A CTE with the first value of their order of acceptance, and the columns that follow from it. The sequence orders
   * other jobs.
   */
  order: string
  orderColumns: string
  orderValues: string
  /** The pairs of their metadata have rows. */
  pairs: boolean
  submissions: SubmissionSql
}

/**
 * What the statement does for submissions of IPP. The lock decides between the creation and the end of a submission.
 */
interface SubmissionSql {
  locked: string
  reserved: string
  join: string
  isMissing: string
  numberNth: string
  newNumbers: string
  deleted: string
}

const WITHOUT_SUBMISSIONS: SubmissionSql = {
  locked: '',
  reserved: 'NULL::int',
  join: '',
  isMissing: 'false',
  numberNth: 'nth',
  newNumbers: 'count(*)',
  deleted: '',
}

const WITH_SUBMISSIONS: SubmissionSql = {
  locked: `
submission AS MATERIALIZED (
  SELECT submission.id, submission.number FROM item JOIN jobs.ipp_submission AS submission ON submission.id = item.id
  WHERE submitted AND ended_at IS NULL AND submission.expires_at > item.created_at
  ORDER BY submission.id FOR UPDATE OF submission
),`,
  reserved: 'submission.number',
  join: 'LEFT JOIN submission ON submission.id = item.id',
  isMissing: 'COALESCE(submitted, false) AND submission.id IS NULL',
  numberNth: 'count(*) FILTER (WHERE reserved IS NULL) OVER (PARTITION BY organization_id, mode ORDER BY ordinal)',
  newNumbers: 'count(*) FILTER (WHERE reserved IS NULL)',
  deleted: `,
ended_submission AS (DELETE FROM jobs.ipp_submission USING permitted WHERE ipp_submission.id = permitted.id)`,
}

const NEW = 'known_job_id IS NULL AND NOT swept AND NOT refused'

const EACH: Parts = {
  batchId: 'NULL::uuid',
  creatable: NEW,
  countable: '',
  order: '',
  orderColumns: ')',
  orderValues: 'FROM permitted',
  pairs: false,
  submissions: WITHOUT_SUBMISSIONS,
}

/** One value of the sequence is the first of more than a batch has jobs: `migrations/release-0.2.ts`. */
const TOGETHER: Parts = {
  batchId: '$3::uuid',
  creatable: `NOT EXISTS (SELECT FROM resolved WHERE NOT (${NEW}))`,
  countable: ' AND (requested.max IS NULL OR counted.count + requested.jobs <= requested.max)',
  order: `first_order AS MATERIALIZED (SELECT nextval('jobs.job_accepted_order_seq') AS first),
`,
  orderColumns: ', batch_id, accepted_order) OVERRIDING SYSTEM VALUE',
  orderValues: ', batch_id, first + ordinal FROM permitted CROSS JOIN first_order',
  pairs: true,
  submissions: WITHOUT_SUBMISSIONS,
}

const PAIRS = `,
pair AS (
  INSERT INTO jobs.job_metadata (organization_id, mode, value, key, id)
  SELECT organization_id, mode, pair.value, pair.key, id FROM permitted
  CROSS JOIN LATERAL jsonb_each_text(metadata) AS pair (key, value)
)`

/** A job after `NUMBER.max` has no number. */
const createSql = ({ batchId, creatable, countable, order, orderColumns, orderValues, pairs, submissions }: Parts) => `
WITH item AS MATERIALIZED (SELECT * FROM json_to_recordset($1) AS item (${ITEM})),${submissions.locked}
${DELETION_MARK},
resolved AS MATERIALIZED (
  SELECT item.*, ${QUEUED}, ${batchId} AS batch_id,
    COALESCE(existing.id, known.job_id) AS known_job_id,
    known.body_hash AS known_body_hash,
    original_created_at IS NOT NULL AND NOT EXISTS (SELECT FROM deletion_mark WHERE swept_until < original_created_at)
      OR ${submissions.isMissing} AS swept,
    ${submissions.reserved} AS reserved
  FROM item ${submissions.join}
    -- Joins, because an EXISTS would be hashed and scan the whole table.
    LEFT JOIN jobs.job AS existing ON existing.id = item.id
    LEFT JOIN jobs.idempotency_key AS known
      ON known.organization_id = item.organization_id AND known.mode = item.mode AND known.key = item.key
),
requested AS (
  SELECT organization_id, mode, period, min(count_max) AS max, count(*) AS jobs FROM resolved
  WHERE ${creatable} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
),
counted AS (
  UPDATE jobs.creation_count AS counted
  SET count = GREATEST(counted.count,
    LEAST(counted.count + requested.jobs, COALESCE(requested.max, counted.count + requested.jobs)))
  FROM requested
  WHERE counted.organization_id = requested.organization_id AND counted.mode = requested.mode
    AND counted.period = requested.period${countable}
  RETURNING counted.organization_id, counted.mode, counted.period, new.count - old.count AS granted
),
accepted AS MATERIALIZED (
  SELECT ordered.*, ${submissions.numberNth} AS number_nth FROM (
    SELECT *, row_number() OVER (PARTITION BY organization_id, mode, period ORDER BY ordinal) AS nth FROM resolved
    WHERE ${creatable}
  ) AS ordered LEFT JOIN counted USING (organization_id, mode, period)
  WHERE count_max IS NULL OR nth <= granted
),
-- After the counts, so that concurrent statements lock both in one order.
numbered AS (
  INSERT INTO jobs.job_number AS job_number (organization_id, mode, last)
  SELECT organization_id, mode, ${submissions.newNumbers} FROM accepted GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (organization_id, mode) DO UPDATE SET last = job_number.last + excluded.last
  RETURNING organization_id, mode, COALESCE(old.last, 0) AS before
),
permitted AS MATERIALIZED (
  SELECT accepted.*,
    COALESCE(reserved, CASE WHEN before + number_nth <= ${NUMBER.max} THEN before + number_nth END::int) AS number,
    uuidv7() AS event_id
  FROM accepted JOIN numbered USING (organization_id, mode)
),
${order}created AS (
  INSERT INTO jobs.job (${COLUMNS}, state, version, fetching, has_inline_document, waiting_destination_id,
    event_commit_seq${orderColumns}
  SELECT ${COLUMNS}, state, version, encrypted_source IS NOT NULL, content_start IS NOT NULL, destination_id,
    jobs.to_commit_seq(pg_current_xact_id())
  ${orderValues} ORDER BY ordinal
),
event AS (
  INSERT INTO jobs.job_event (id, job_id, sequence, state, actor, created_at)
  SELECT event_id, id, version, state, actor, created_at FROM permitted
),
logged AS (
  INSERT INTO jobs.event_log (id, commit_seq, organization_id, mode, type, occurred_at, body, traceparent, created_by)
  SELECT event_id, jobs.to_commit_seq(pg_current_xact_id()), organization_id, mode, 'printjob.queued', created_at,
    ${eventBody({ job: 'permitted', eventId: 'event_id', occurredAt: 'created_at' })}, traceparent, created_by
  FROM permitted
),
keyed AS (
  INSERT INTO jobs.idempotency_key (organization_id, mode, key, body_hash, job_id, created_at)
  SELECT organization_id, mode, key, decode(body_hash, 'base64'), id, created_at FROM permitted
  WHERE key IS NOT NULL ORDER BY 1, 2, 3
),
document AS (
  INSERT INTO jobs.document (job_id, content)
  SELECT id, substring($2::bytea FROM content_start FOR content_bytes) FROM permitted WHERE content_start IS NOT NULL
),
document_fetch AS (
  INSERT INTO jobs.document_fetch (job_id, organization_id, host_digest, encrypted_source, created_at)
  SELECT id, organization_id, decode(host_digest, 'base64'), decode(encrypted_source, 'base64'), created_at
  FROM permitted WHERE encrypted_source IS NOT NULL
)${submissions.deleted}${pairs ? PAIRS : ''}
SELECT id, true AS created, number, NULL::uuid AS known_job_id, NULL::bytea AS known_body_hash FROM permitted
UNION ALL SELECT id, false, NULL, known_job_id, known_body_hash FROM resolved WHERE known_job_id IS NOT NULL OR swept`

export const CREATE = { name: 'create jobs', text: createSql(EACH) }
/** Jobs with metadata, and jobs of submissions. */
export const CREATE_WITH_MORE = {
  name: 'create jobs with more',
  text: createSql({ ...EACH, pairs: true, submissions: WITH_SUBMISSIONS }),
}
export const CREATE_BATCH = { name: 'create batch', text: createSql(TOGETHER) }
