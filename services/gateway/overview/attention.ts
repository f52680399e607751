/** What needs attention, by the rules of explanations and alerts. Reference: docs/dashboard.md#overview. */
import type { Problem } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import type { JobEvent, JobQueue } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { FailureCount } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import type { Endpoint } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import type { Devices, Entry } from './entry.ts'
import { describeFailedJobs } from './failed-jobs.ts'
import { describeEndpoints } from './failing-endpoints.ts'
import { describePlan, type PlanUsage } from './plan-limit.ts'
import { describeProblems } from './problems.ts'
import { describeWaitingJobs } from './waiting-jobs.ts'

export const ENTRIES_MAX = 100

/** Undefined lists could not be read. */
export interface AttentionFacts {
  now: Date
  failures: FailureCount[] | undefined
  queues: JobQueue[] | undefined
  /** The events of jobs that are not acknowledged, by id. */
  jobEvents: Map<string, JobEvent[]>
  problems: Problem[] | undefined
  endpoints: Endpoint[] | undefined
  plan: PlanUsage | undefined
  devices: Devices
}

export function listAttention(facts: AttentionFacts): { entries: Entry[]; hasMore: boolean } {
  const { now, failures = [], queues = [], jobEvents, problems = [], endpoints = [], plan, devices } = facts
  const waiting = describeWaitingJobs(queues, jobEvents, devices, now)
  const entries = [
    ...describeFailedJobs(failures, devices),
    ...waiting,
    ...describeProblems(problems, waiting),
    ...describeEndpoints(endpoints),
    ...describePlan(plan),
  ]
  return { entries: entries.slice(0, ENTRIES_MAX), hasMore: entries.length > ENTRIES_MAX }
}
