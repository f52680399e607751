import { create, type JsonObject, toJson } from '@bufbuild/protobuf'
import { PrinterCapabilitiesSchema } from '@platen/proto/gen/platen/devices/v1/printer_pb.ts'
import {
  type ClaimDestinationJobRequest,
  PassedPrinterSchema,
  type Turn,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { resolveOptions } from '@platen/resources/resolve-options.ts'
import { withAdvisoryLock } from '@platen/runtime/database/advisory-lock.ts'
import type { PoolClient } from 'pg'
import { changeStates, systemChange } from '../change-state.ts'
import { BEGIN_BATCHES } from '../claims/begun-batches.ts'
import { CLAIMED_COLUMNS, type ClaimedRow, toClaimedJob, withContents } from '../claims/claimed-jobs.ts'
import type { Jobs } from '../jobs.ts'
import { IS_ACTIVE, IS_HELD_BACK } from '../states.ts'

/** More than a destination has printers, of which each locks one job while it claims. */
const CANDIDATES_MAX = 32

/** A hello waits for the claim, so the state of the job can change. */
const SHARE_STREAM = 'SELECT FROM jobs.computer_fence WHERE computer_id = $1 AND epoch = $2 FOR SHARE'

/** Destinations without a fence get one, whose row claims share, so that a change of the destination waits for them. */
const ADD_FENCES = `
INSERT INTO jobs.destination_fence (destination_id, revision)
SELECT destination_id, revision FROM jsonb_to_recordset($1) AS turn (destination_id uuid, revision bigint)
ORDER BY destination_id ON CONFLICT DO NOTHING`

/** The destinations whose turn is by their present revision. */
const SHARE_FENCES = `
SELECT fence.destination_id FROM jobs.destination_fence AS fence
JOIN jsonb_to_recordset($1) AS turn (destination_id uuid, revision bigint) USING (destination_id)
WHERE fence.revision <= turn.revision ORDER BY fence.destination_id FOR SHARE OF fence`

/**
 * Locks the next job in the order of acceptance, of the first ones of each destination by the index \`job_waiting\`.
 * Other printers skip it. Returns none if the printer has a job of a destination, or an older job of its own is not
 * sent yet. A job whose document is being fetched blocks later jobs of its destination, so that they keep their order.
 * Of a batch only the first waiting job is taken, also while another printer is taking it, and none before the jobs of
 * a batch that the printer has begun.
 */
const REQUESTED = `content_type AS "contentType", requested_options AS "requestedOptions"`

const TAKE = `
WITH candidate AS MATERIALIZED (
  SELECT found.id, found.accepted_order FROM unnest($3::uuid[]) AS turn (destination_id)
  CROSS JOIN LATERAL (
    SELECT id, accepted_order FROM (
      SELECT id, accepted_order, bool_or(fetching) OVER (ORDER BY accepted_order) AS is_blocked FROM (
        SELECT id, accepted_order, fetching FROM jobs.job
        WHERE waiting_destination_id = turn.destination_id AND NOT ${IS_HELD_BACK}
        ORDER BY accepted_order LIMIT ${CANDIDATES_MAX}
      ) AS first
    ) AS waiting WHERE NOT is_blocked
  ) AS found
),
own AS (
  SELECT accepted_order FROM jobs.job
  WHERE computer_id = $1 AND printer_id = $2 AND ${IS_ACTIVE} AND state = 'queued' AND NOT ${IS_HELD_BACK}
  ORDER BY accepted_order LIMIT 1
)
SELECT job.id, batch_id AS "batchId", waiting_destination_id AS "destinationId", ${REQUESTED}
FROM candidate JOIN jobs.job USING (id)
WHERE waiting_destination_id = ANY($3::uuid[]) AND state = 'queued'
  AND candidate.accepted_order < COALESCE((SELECT accepted_order FROM own), 9223372036854775807)
  AND NOT EXISTS (SELECT FROM jobs.job AS taken WHERE taken.printer_id = $2 AND taken.destination_id IS NOT NULL
    AND taken.waiting_destination_id IS NULL AND taken.final_state IS NULL)
  AND NOT EXISTS (SELECT FROM jobs.job AS before WHERE before.batch_id = job.batch_id
    AND before.waiting_destination_id = job.waiting_destination_id AND before.accepted_order < job.accepted_order)
  AND NOT EXISTS (SELECT FROM jobs.begun_batch AS begun JOIN jobs.job AS other USING (batch_id, printer_id)
    WHERE begun.printer_id = $2 AND other.state = 'queued' AND other.waiting_destination_id IS NULL)
ORDER BY candidate.accepted_order LIMIT 1 FOR UPDATE OF job SKIP LOCKED`

/** The jobs of a batch that wait for the same destination, with the one that is taken. */
const JOBS_OF_BATCH = `
SELECT id, ${REQUESTED} FROM jobs.job
WHERE batch_id = $1 AND waiting_destination_id = $2 ORDER BY id FOR UPDATE`

/**
 * The state of the first one changes after it in the same transaction, whose event has these values. The others wait at
 * the printer.
 */
const ASSIGN = `
UPDATE jobs.job
SET waiting_destination_id = NULL, computer_id = $2, printer_id = $3, passed_printers = $4, options = assigned.options,
  effective_options = assigned.effective_options, option_warning = assigned.option_warning
FROM jsonb_to_recordset($1) AS assigned (id uuid, options jsonb, effective_options jsonb, option_warning text)
WHERE job.id = assigned.id`

const PUSH = `SELECT $2::uuid AS job_id, 'push' AS trigger, NULL AS message`

interface RequestedRow {
  id: string
  contentType: string
  requestedOptions: JsonObject | null
}

interface TakenRow extends RequestedRow {
  batchId: string | null
  destinationId: string
}

/**
 * Gives the printer the first job that waits for one of the destinations, with options resolved for this printer, and
 * all of its batch. A printer has at most one unfinished job or batch of a destination. Reference:
 * docs/reference/destinations.md#jobs.
 *
 * @returns no job if none waits, the stream is not the newest one of its computer, or the destination has changed since
 *   it gave the turn.
 */
export async function claimDestinationJob(jobs: Jobs, request: ClaimDestinationJobRequest) {
  const { computerId } = request
  // Claims of a computer follow each other, so that a printer never has two jobs, even by an outdated stream.
  const claimed = await withAdvisoryLock(jobs.pool, `platen jobs.destination claims ${computerId}`, (client) =>
    claim(jobs, client, request),
  )
  if (!claimed) return {}
  jobs.eventsAdded()
  if (claimed.hasRest) jobs.announceWaiting([[computerId]])
  const [job] = withContents(jobs, [toClaimedJob(claimed.row, jobs.clock.now())])
  return { job }
}

async function claim(
  { clock }: Jobs,
  client: PoolClient,
  { computerId, epoch, printerId, printer, turns }: ClaimDestinationJobRequest,
): Promise<{ row: ClaimedRow; hasRest: boolean } | undefined> {
  const stream = { name: 'share stream', text: SHARE_STREAM, values: [computerId, epoch] }
  if ((await client.query(stream)).rowCount === 0) return undefined
  const destinationIds = await shareFences(client, turns)
  const taken = await client.query<TakenRow>({
    name: 'take destination job',
    text: TAKE,
    values: [computerId, printerId, destinationIds],
  })
  const [job] = taken.rows
  if (!job) return undefined
  const { capabilities, customPapers = [], defaultOptions = {}, os = '' } = printer ?? {}
  const facts = { capabilities: capabilities ?? create(PrinterCapabilitiesSchema), customPapers, defaultOptions, os }
  const all = job.batchId ? await findBatch(client, job) : [job]
  const assigned = all.map(({ id, contentType, requestedOptions }) => {
    const resolved = resolveOptions(requestedOptions ?? {}, facts, contentType.startsWith('raw_'))
    const { options, effectiveOptions: effective_options, warning: option_warning } = resolved
    return { id, options, effective_options, option_warning }
  })
  const turn = turns.find(({ destinationId }) => destinationId === job.destinationId)
  const passed = (turn?.passedPrinters ?? []).map((one) => toJson(PassedPrinterSchema, one))
  await client.query({
    name: 'assign destination job',
    text: ASSIGN,
    values: [...[JSON.stringify(assigned), computerId, printerId], passed.length > 0 ? JSON.stringify(passed) : null],
  })
  const source = { ...systemChange('claim of a destination', PUSH, [job.id]), also: BEGIN_BATCHES }
  const returning = [...CLAIMED_COLUMNS, 'queued_at']
  const [pushed] = await changeStates<ClaimedRow>(client, { ...source, returning }, clock.now())
  return pushed && { row: pushed, hasRest: all.length > 1 }
}

async function findBatch(client: PoolClient, { batchId, destinationId }: TakenRow): Promise<RequestedRow[]> {
  const values = [batchId, destinationId]
  return (await client.query<RequestedRow>({ name: 'find batch', text: JOBS_OF_BATCH, values })).rows
}

async function shareFences(client: PoolClient, turns: Turn[]): Promise<string[]> {
  const values = [
    JSON.stringify(
      turns.map(({ destinationId, revision }) => ({ destination_id: destinationId, revision: String(revision) })),
    ),
  ]
  const share = () =>
    client.query<{ destination_id: string }>({ name: 'share destination fences', text: SHARE_FENCES, values })
  const { rows } = await share()
  if (rows.length === turns.length) return rows.map(({ destination_id }) => destination_id)
  await client.query(ADD_FENCES, values)
  return (await share()).rows.map(({ destination_id }) => destination_id)
}
