/** S1: a 201 is durable and means one job, the one that was asked for; no job comes from nowhere. */
import type { ClientCall } from '../history.ts'
import { type Facts, isUndecided, type JobFacts } from './facts.ts'
import { type Violation, violationOf } from './violation.ts'

const violation = violationOf('S1')

export function checkAcceptance(facts: Facts): Violation[] {
  return [...[...facts.creations.values()].flatMap((call) => lost(facts, call)), ...checkJobs(facts)]
}

function lost({ jobs }: Facts, { marker = '', status, jobId }: ClientCall): Violation[] {
  if (status !== 201 || jobId === undefined || jobs.has(jobId)) return []
  return [violation('lost', jobId, `The creation ${marker} was answered 201, and there is no such job.`)]
}

function checkJobs({ jobs }: Facts): Violation[] {
  const explained = new Map<ClientCall, string>()
  const found: Violation[] = []
  for (const job of jobs.values()) {
    const { row, creation } = job
    const other = creation && explained.get(creation)
    if (!creation) found.push(violation('illegal', row.id, `No call of a client explains the job "${row.title}".`))
    else if (other) found.push(violation('doubled', row.id, `The call that made this job has made ${other} already.`))
    else found.push(...disagreement(job, creation))
    if (creation) explained.set(creation, row.id)
  }
  return found
}

function disagreement({ row }: JobFacts, call: ClientCall): Violation[] {
  const { status, jobId, qty, contentSha256, organizationId } = call
  if (status !== 201 && !isUndecided(call))
    return [violation('illegal', row.id, `The creation was answered ${status}, and the job is there.`)]
  const wrong: string[] = []
  if (jobId !== undefined && jobId !== row.id) wrong.push(`the answer named the job ${jobId}`)
  if (organizationId !== row.organizationId) wrong.push(`it belongs to the organization ${row.organizationId}`)
  if (qty !== undefined && qty !== row.qty) wrong.push(`its qty is ${row.qty} rather than ${qty}`)
  if (contentSha256 !== undefined && contentSha256 !== row.fileSha256) wrong.push('its document is another one')
  return wrong.map((what) => violation('other', row.id, `The job is not what the client asked for: ${what}.`))
}
