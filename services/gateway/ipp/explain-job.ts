import type { Job } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { explain } from '@platen/resources/explain/explain.ts'
import { toFacts } from '@platen/resources/explain/to-facts.ts'
import { FAILED_STATES } from '@platen/resources/job-states.ts'
import { readJobFacts } from '@platen/runtime/rpc/read-job-facts.ts'
import type { Tenant } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { required } from '../required.ts'

/** @returns whether a failed job was printed, and the cause, as its explanation says. Undefined for other jobs. */
export async function explainJob(
  { jobs, devices, events, clock }: Gateway,
  tenant: Tenant,
  { id, state }: Job,
): Promise<string | undefined> {
  if (!FAILED_STATES.some((failed) => failed === state)) return undefined
  const { details } = await jobs.getJobDetails({ ...tenant, jobId: id })
  const found = await readJobFacts({ devices, events }, required(details))
  const { headline, cause } = explain(toFacts(found, clock.now()))
  return `${headline} ${cause}`
}
