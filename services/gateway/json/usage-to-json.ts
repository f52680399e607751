/** Reference: docs/reference/usage.md#fields. */
import type { CountTestJobsTodayResponse } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { GetUsageResponse } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import { timestampToJson } from '@platen/resources/timestamp-to-json.ts'
import { required } from './required.ts'

/** Reference: docs/reference/limits.md#test-jobs-per-day. */
const TEST_JOBS_A_DAY = 500

export function usageToJson(usage: GetUsageResponse, computersUsed: number, testJobs: CountTestJobsTodayResponse) {
  const plan = required(usage.plan)
  return {
    period: { start: timestampToJson(usage.periodStart), end: timestampToJson(usage.periodEnd) },
    prints: { used: usage.printsUsed, limit: plan.printsLimit ?? null },
    computers: { used: computersUsed, limit: plan.computersLimit ?? null },
    plan: plan.name,
    testJobsToday: { used: testJobs.used, limit: TEST_JOBS_A_DAY, resetsAt: timestampToJson(testJobs.resetsAt) },
  }
}
