/** S1: a 201 is durable and means one job, the one that was asked for; no job comes from nowhere. */
import type { ClientCall, JobRow } from '../history.ts'
import { type Facts, isUndecided } from './facts.ts'
import { type Violation, violationOf } from './violation.ts'

const violation = violationOf('S1')

export function checkAcceptance(facts: Facts): Violation[] {
  return [...[...facts.creations.values()].flatMap((calls) => lost(facts, calls)), ...checkJobs(facts)]
}

function lost({ jobs }: Facts, calls: ClientCall[]): Violation[] {
  const promised = new Set(calls.filter(({ status }) => status === 201).map(({ jobId }) => jobId))
  return [...promised]
    .filter((jobId) => jobId !== undefined && !jobs.has(jobId))
    .map((jobId = '') =>
      violation('lost', jobId, `The creation ${calls[0]?.marker} was answered 201, and there is no such job.`),
    )
}

function checkJobs({ jobs }: Facts): Violation[] {
  const explained = new Map<ClientCall[], string>()
  const found: Violation[] = []
  for (const { row, creations } of jobs.values()) {
    const other = explained.get(creations)
    const [call] = creations
    if (!call) found.push(violation('illegal', row.id, `No call of a client explains the job "${row.title}".`))
    else if (other) found.push(violation('doubled', row.id, `The body that made this job has made ${other} already.`))
    else found.push(...disagreement(row, call, creations))
    explained.set(creations, row.id)
  }
  return found
}

/** @param call any of `calls`: they have one body. */
function disagreement(row: JobRow, call: ClientCall, calls: ClientCall[]): Violation[] {
  if (!calls.some((one) => one.status === 201 || isUndecided(one)))
    return [violation('illegal', row.id, `The creation was answered ${call.status}, and the job is there.`)]
  const { qty, contentSha256, organizationId } = call
  const wrong = calls
    .filter(({ jobId, isReplay }) => jobId !== undefined && jobId !== row.id && !isReplay)
    .map(({ jobId }) => `the answer named the job ${jobId}`)
  if (organizationId !== row.organizationId) wrong.push(`it belongs to the organization ${row.organizationId}`)
  if (qty !== undefined && qty !== row.qty) wrong.push(`its qty is ${row.qty} rather than ${qty}`)
  if (contentSha256 !== undefined && contentSha256 !== row.fileSha256) wrong.push('its document is another one')
  return wrong.map((what) => violation('other', row.id, `The job is not what the client asked for: ${what}.`))
}
