import {
  AgentTrigger,
  type AgentUpdate,
  type RecordAgentUpdatesRequest,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { addWarnings } from '../add-warnings.ts'
import { type AskedChange, askedChanges, changeStates } from '../change-state.ts'
import type { Jobs } from '../jobs.ts'
import type { Actor, JobState, Trigger } from '../states.ts'
import { tellProgress } from '../tell-progress.ts'

const ASKED: Partial<Record<AgentTrigger, { trigger: Trigger; actor: Actor }>> = {
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
}

/**
 * Applies what agents say of their jobs, all in one statement; but a job that is said to be done before it was said to print walks
 * through `printing`, by two more. An update that has no edge changes nothing and is answered by
 * the state that the job is in, so a repeated update is answered as the first one was.
 *
 * @throws ApiError `invalid_request` for an unknown trigger, or a job named twice.
 */
export async function recordAgentUpdates(jobs: Jobs, request: RecordAgentUpdatesRequest) {
  const { updates } = request
  if (new Set(updates.map(({ jobId }) => jobId)).size !== updates.length)
    throw new ApiError('invalid_request', 'A call may name each job only once.')
  const warned = updates.filter(({ warnings }) => warnings.length > 0)
  // First, so that whoever hears of the change finds the warning.
  if (warned.length > 0) await addWarnings(jobs.pool, warned)
  const changed = await changeStates(jobs.pool, askedChanges(updates.map(askedBy)), jobs.clock.now())
  if (changed.length > 0) jobs.eventsAdded()

  const current = new Map<string, CurrentRow>(changed.map((row) => [row.id, row]))
  const unchanged = updates.filter(({ jobId }) => !current.has(jobId))
  if (unchanged.length > 0) for (const row of await readCurrent(jobs, unchanged)) current.set(row.id, row)
  const progress = unchanged.filter((update) => isProgress(update, current.get(update.jobId)))
  if (progress.length > 0) await tellProgress(jobs.pool, progress)
  const early = unchanged.filter((update) => isEarly(update, current.get(update.jobId)))
  if (early.length > 0) for (const row of await completeEarly(jobs, early)) current.set(row.id, row)
  return {
    results: updates.map((update) => {
      const job = current.get(update.jobId)
      return { jobId: update.jobId, state: job?.state ?? '', granted: isGranted(update, job) }
    }),
  }
}

function askedBy(update: AgentUpdate): AskedChange {
  const asked = ASKED[update.trigger]
  if (!asked) throw new ApiError('invalid_request', 'An update has no known trigger.')
  return {
    jobId: update.jobId,
    computerId: update.computerId,
    ...asked,
    message: update.message,
    ...saidOf(update),
    traceparent: update.traceparent,
    // What happened to paper is true whichever stream and sending it is told by; only a permission to print is fenced.
    ...(asked.trigger === 'acknowledge' ? { attempt: update.attempt, epoch: update.epoch } : {}),
  }
}

/** What stood in the way of a job that prints is over when it is done. */
function saidOf({ trigger, message, reasons }: AgentUpdate) {
  if (trigger === AgentTrigger.COMPLETE) return { stateMessage: message ?? '', stateReasons: reasons }
  return { stateMessage: message, stateReasons: reasons.length > 0 ? reasons : undefined }
}

/** A job that prints is said to print again: how that goes is news, without being a change of state. */
function isProgress({ trigger }: AgentUpdate, job: CurrentRow | undefined): boolean {
  return trigger === AgentTrigger.PRINT && job?.state === 'printing'
}

/** Done before anybody heard of `printing`: a spooler can be that quick. */
function isEarly({ trigger }: AgentUpdate, job: CurrentRow | undefined): boolean {
  return trigger === AgentTrigger.COMPLETE && job?.state === 'received'
}

/** Should it break off in between, the agent repeats its report and finds the job in `printing`. */
async function completeEarly(jobs: Jobs, updates: AgentUpdate[]): Promise<CurrentRow[]> {
  const prints = updates.map((update) => ({ ...update, trigger: AgentTrigger.PRINT, message: undefined, reasons: [] }))
  await changeStates(jobs.pool, askedChanges(prints.map(askedBy)), jobs.clock.now())
  await changeStates(jobs.pool, askedChanges(updates.map(askedBy)), jobs.clock.now())
  jobs.eventsAdded()
  return await readCurrent(jobs, updates)
}

/** Also when the job was acknowledged before: then the agent did not hear the first answer. */
function isGranted(update: AgentUpdate, job: CurrentRow | undefined): boolean {
  return update.trigger === AgentTrigger.ACKNOWLEDGE && job?.state === 'received' && job.attempt === update.attempt
}

async function readCurrent(jobs: Jobs, updates: AgentUpdate[]): Promise<CurrentRow[]> {
  const { rows } = await jobs.pool.query<CurrentRow>(
    `SELECT job.id, job.state, job.attempt FROM jobs.job
     JOIN unnest($1::uuid[], $2::uuid[]) AS asked (job_id, computer_id) ON job.id = job_id AND job.computer_id = asked.computer_id`,
    [updates.map(({ jobId }) => jobId), updates.map(({ computerId }) => computerId)],
  )
  return rows
}
