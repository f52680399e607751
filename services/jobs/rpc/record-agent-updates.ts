import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import {
  AgentTrigger,
  type AgentUpdate,
  type RecordAgentUpdatesRequest,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { isFinalState, type JobState } from '@platen/resources/job-states.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { addWarnings } from '../add-warnings.ts'
import { type ChangedJob, changeStates, type RequestedChange, requestedChanges } from '../change-state.ts'
import type { Jobs } from '../jobs.ts'
import { recordProgress } from '../record-progress.ts'
import type { Actor, Trigger } from '../states.ts'

const CHANGES: Partial<Record<AgentTrigger, { trigger: Trigger; actor: Actor }>> = {
  [AgentTrigger.ACKNOWLEDGE]: { trigger: 'acknowledge', actor: 'agent' },
  [AgentTrigger.PRINT]: { trigger: 'print', actor: 'agent' },
  [AgentTrigger.COMPLETE]: { trigger: 'complete', actor: 'agent' },
  [AgentTrigger.FAIL]: { trigger: 'fail', actor: 'agent' },
  [AgentTrigger.DOCUMENT_MISSING]: { trigger: 'fail', actor: 'system' },
}

interface CurrentRow {
  id: string
  state: JobState
  attempt: number
  traceparent: string
  sent_at: Date | null
}

/**
 * Applies updates of agents in one statement. A job that is reported as done before it was reported as printing passes
 * through `printing`, by two more statements. An update without a transition changes nothing. Its result is the current
 * state of the job, so a repeated update has the same result.
 *
 * @throws ApiError `invalid_request` for an unknown trigger or a duplicate `job_id`.
 */
export async function recordAgentUpdates(jobs: Jobs, request: RecordAgentUpdatesRequest) {
  const { updates } = request
  if (new Set(updates.map(({ jobId }) => jobId)).size !== updates.length)
    throw new ApiError('invalid_request', 'Each `job_id` must be unique within a call.')
  const warned = updates.filter(({ warnings }) => warnings.length > 0)
  // Before the change, so that its event contains the warning.
  if (warned.length > 0) await addWarnings(jobs.pool, warned)
  const changes = updates.filter(({ trigger }) => trigger !== AgentTrigger.WAIT).map(toChange)
  const changed = changes.length > 0 ? await change(jobs, changes) : []
  if (changed.length > 0) jobs.eventsAdded()
  announceFreePrinters(jobs, changed)

  const current = new Map<string, CurrentRow>(changed.map((row) => [row.id, row]))
  const unchanged = updates.filter(({ jobId }) => !current.has(jobId))
  if (unchanged.length > 0) for (const row of await readCurrent(jobs, unchanged)) current.set(row.id, row)
  const progress = unchanged.filter((update) => isProgress(update, current.get(update.jobId)))
  if (progress.length > 0) await recordProgress(jobs, progress)
  const skipped = unchanged.filter((update) => skipsPrinting(update, current.get(update.jobId)))
  if (skipped.length > 0) for (const row of await printAndComplete(jobs, skipped)) current.set(row.id, row)
  return {
    results: updates.map((update) => {
      const job = current.get(update.jobId)
      return {
        jobId: update.jobId,
        state: job?.state ?? '',
        granted: isGranted(update, job),
        traceparent: job?.traceparent,
        sentAt: job?.sent_at ? timestampFromDate(job.sent_at) : undefined,
      }
    }),
  }
}

/** A printer that has finished a job of a destination can take the next one. */
function announceFreePrinters(jobs: Jobs, changed: ChangedJob[]): void {
  const ended = changed.filter(({ destination_id, state }) => destination_id !== null && isFinalState(state))
  jobs.announceWaiting(ended.map(({ computer_id }) => [computer_id]))
}

async function change({ pool, clock }: Jobs, changes: RequestedChange[]): Promise<(CurrentRow & ChangedJob)[]> {
  return await changeStates(pool, requestedChanges(changes), clock.now())
}

function toChange(update: AgentUpdate): RequestedChange {
  const change = CHANGES[update.trigger]
  if (!change) throw new ApiError('invalid_request', `Unknown trigger ${update.trigger} of an update.`)
  return {
    jobId: update.jobId,
    computerId: update.computerId,
    ...change,
    message: update.message,
    ...toStateMessage(update),
    ...(change.trigger === 'complete' && { confirmedBy: toConfirmedBy(update) }),
    // Reports about paper are true for any stream and attempt. Only the permission to print is fenced.
    ...(change.trigger === 'acknowledge' ? { attempt: update.attempt, epoch: update.epoch } : {}),
  }
}

/** Agents of earlier releases say nothing but the reason. */
function toConfirmedBy({ confirmedBy, reasons }: AgentUpdate): string {
  return confirmedBy || (reasons.includes('completion-unconfirmed') ? 'nobody' : 'spooler')
}

const ENDS_WAITING: readonly AgentTrigger[] = [AgentTrigger.ACKNOWLEDGE, AgentTrigger.PRINT, AgentTrigger.COMPLETE]

/** A job that is received, prints or is done loses what it waited for before. */
function toStateMessage({ trigger, message, reasons }: AgentUpdate) {
  if (ENDS_WAITING.includes(trigger)) return { stateMessage: message ?? '', stateReasons: reasons }
  return { stateMessage: message, stateReasons: reasons.length > 0 ? reasons : undefined }
}

/** A job has a new message or reasons in the same state. */
function isProgress({ trigger }: AgentUpdate, job: CurrentRow | undefined): boolean {
  if (trigger === AgentTrigger.WAIT) return ['sent', 'received', 'printing'].includes(job?.state ?? '')
  return trigger === AgentTrigger.PRINT && job?.state === 'printing'
}

/** A fast spooler completes the job before its agent reports `printing`. */
function skipsPrinting({ trigger }: AgentUpdate, job: CurrentRow | undefined): boolean {
  return trigger === AgentTrigger.COMPLETE && job?.state === 'received'
}

/** If it fails in between, the agent repeats its report while the job is `printing`. */
async function printAndComplete(jobs: Jobs, updates: AgentUpdate[]): Promise<CurrentRow[]> {
  const prints = updates.map((update) => ({ ...update, trigger: AgentTrigger.PRINT, message: undefined, reasons: [] }))
  await change(jobs, prints.map(toChange))
  announceFreePrinters(jobs, await change(jobs, updates.map(toChange)))
  jobs.eventsAdded()
  return await readCurrent(jobs, updates)
}

/** Includes repeated acknowledgements, because the first answer may be lost. */
function isGranted(update: AgentUpdate, job: CurrentRow | undefined): boolean {
  return update.trigger === AgentTrigger.ACKNOWLEDGE && job?.state === 'received' && job.attempt === update.attempt
}

async function readCurrent(jobs: Jobs, updates: AgentUpdate[]): Promise<CurrentRow[]> {
  const { rows } = await jobs.pool.query<CurrentRow>(
    `SELECT job.id, job.state, job.attempt, job.traceparent, job.sent_at FROM jobs.job
     JOIN unnest($1::uuid[], $2::uuid[]) AS updated (job_id, computer_id) ON job.id = job_id
       AND job.computer_id = updated.computer_id`,
    [updates.map(({ jobId }) => jobId), updates.map(({ computerId }) => computerId)],
  )
  return rows
}
