/**
 * S1: a 201 is durable and means one job, the one that was asked for; no job comes from nowhere. A reprint has the document of its
 * original, and is not refused while that has one. What is fetched has its document when it goes out.
 */
import type { ClientCall } from '../history.ts'
import { type Facts, isUndecided, type JobFacts } from './facts.ts'
import { type Violation, violationOf } from './violation.ts'

const violation = violationOf('S1')

export function checkAcceptance(facts: Facts): Violation[] {
  const calls = [...facts.creations.values()]
  return [...calls.flatMap((same) => [...lost(facts, same), ...refusedReprint(facts, same)]), ...checkJobs(facts)]
}

function lost({ jobs }: Facts, calls: ClientCall[]): Violation[] {
  const promised = new Set(calls.filter(({ status }) => status === 201).map(({ jobId }) => jobId))
  return [...promised]
    .filter((jobId) => jobId !== undefined && !jobs.has(jobId))
    .map((jobId = '') =>
      violation('lost', jobId, `The creation ${calls[0]?.marker} was answered 201, and there is no such job.`),
    )
}

/** Documents are kept for longer than a run. Their job is known from its 201, so it is there for each who asks later. */
function refusedReprint({ jobs }: Facts, calls: ClientCall[]): Violation[] {
  return calls.flatMap(({ reprintOf = '', organizationId, status }) => {
    const original = jobs.get(reprintOf)
    if (original?.row.organizationId !== organizationId) return []
    // Asked too early, it has none.
    const mayHaveNone = original.creations.some(({ serves }) => serves !== undefined)
    if (status !== 404 && (status !== 410 || mayHaveNone)) return []
    return [violation('lost', reprintOf, `A reprint of the job, whose document is kept, was answered ${status}.`)]
  })
}

function checkJobs({ jobs }: Facts): Violation[] {
  const explained = new Map<ClientCall[], string>()
  const found: Violation[] = []
  for (const job of jobs.values()) {
    const { row, creations } = job
    const other = explained.get(creations)
    const [call] = creations
    if (!call) found.push(violation('illegal', row.id, `No call of a client explains the job "${row.title}".`))
    else if (other) found.push(violation('doubled', row.id, `The body that made this job has made ${other} already.`))
    else found.push(...disagreement(job, call, jobs))
    explained.set(creations, row.id)
  }
  return found
}

/** @param call any of the job's creations: they have one body. */
function disagreement({ row, events, creations: calls }: JobFacts, call: ClientCall, jobs: Facts['jobs']): Violation[] {
  if (!calls.some((one) => one.status === 201 || isUndecided(one)))
    return [violation('illegal', row.id, `The creation was answered ${call.status}, and the job is there.`)]
  const { qty, contentSha256, organizationId } = call
  const wrong = calls
    .filter(({ jobId, isReplay }) => jobId !== undefined && jobId !== row.id && !isReplay)
    .map(({ jobId }) => `the answer named the job ${jobId}`)
  if (organizationId !== row.organizationId) wrong.push(`it belongs to the organization ${row.organizationId}`)
  if (qty !== undefined && qty !== row.qty) wrong.push(`its qty is ${row.qty} rather than ${qty}`)
  const isUnfetched = call.serves && row.fileSha256 === null && events.every(({ state }) => state !== 'sent')
  if (contentSha256 !== undefined && contentSha256 !== row.fileSha256 && !isUnfetched)
    wrong.push('its document is another one')
  if ((call.reprintOf ?? null) !== row.reprintOf) wrong.push(`it is a reprint of ${row.reprintOf ?? 'nothing'}`)
  else if (
    row.reprintOf !== null &&
    (row.fileSha256 === null || jobs.get(row.reprintOf)?.row.fileSha256 !== row.fileSha256)
  )
    wrong.push('its document is not that of its original')
  return wrong.map((what) => violation('other', row.id, `The job is not what the client asked for: ${what}.`))
}
