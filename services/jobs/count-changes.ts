/** Counts the state changes of jobs. Called by `changeStates` after the commit. */

import type { JobState } from '@platen/resources/job-states.ts'
import { toEndReason } from '@platen/resources/state-reasons.ts'
import { areMetricsOn } from '@platen/runtime/telemetry/metric.ts'
import { jobDone, jobsEnded, jobsResent } from '@platen/runtime/telemetry/metrics.ts'
import type { Trigger } from './states.ts'

/** What the statement returns for the metrics. Null for a job that has not ended. */
export interface ChangeFacts {
  state: JobState
  trigger: Trigger
  mode: string
  ended_reasons: string[] | null
  ended_after_seconds: number | null
}

export const FACT_COLUMNS = [
  'trigger',
  'mode',
  'CASE WHEN final_state IS NOT NULL THEN state_reasons END AS ended_reasons',
  'CASE WHEN final_state IS NOT NULL THEN extract(epoch FROM changed_at - created_at)::float8 END AS ended_after_seconds',
]

export function countChanges(changes: ChangeFacts[]): void {
  if (!areMetricsOn()) return
  for (const { state, trigger, mode, ended_reasons, ended_after_seconds } of changes) {
    if (trigger === 'resend') jobsResent.add(1, {})
    if (ended_reasons === null || ended_after_seconds === null) continue
    jobsEnded.add(1, { mode, state, reason: toEndReason(state, ended_reasons) ?? 'none' })
    if (state === 'done') jobDone.record(ended_after_seconds, {})
  }
}
