/**
 * L3: the feed has every change of a job, as it was recorded, and nothing else of jobs; of all things it has each change once. It is
 * written behind the jobs, so only when all is over can anybody say what is missing.
 */
import type { FeedRow, JobEventRow } from '../history.ts'
import { type Facts, isResend, type JobFacts } from './facts.ts'
import { type Violation, violationOf } from './violation.ts'

const violation = violationOf('L3')

export function checkFeed({ jobs, history }: Facts): Violation[] {
  const { feed } = history.database
  const listed = new Map(feed.map((event) => [event.id, event]))
  const told = new Map(
    [...jobs.values()].flatMap((job) =>
      job.events.filter((_, index) => !isResend(job.events, index)).map((event) => [event.id, { event, job }] as const),
    ),
  )
  return [
    ...[...told.values()].flatMap(({ event, job }) => checkListed(event, job, listed.get(event.id))),
    ...feed
      .filter(({ id, type }) => type.startsWith('printjob.') && !told.has(id))
      .map(({ id, type }) => violation('illegal', id, `The feed has an event "${type}" that no job has.`)),
    ...checkOnce(feed),
  ]
}

function checkListed({ id, jobId, state, sequence }: JobEventRow, { row }: JobFacts, listed: FeedRow | undefined) {
  if (!listed) return [violation('lost', id, `The feed has no event "${state}" of the job ${jobId}.`)]
  const same =
    listed.type === `printjob.${state}` &&
    listed.resourceId === jobId &&
    listed.sequence === sequence &&
    listed.organizationId === row.organizationId &&
    listed.mode === row.mode
  return same ? [] : [violation('illegal', id, `The feed has the event "${state}" of the job ${jobId} as another one.`)]
}

function checkOnce(feed: FeedRow[]): Violation[] {
  const same = Map.groupBy(feed, ({ type, resourceId, sequence }) => `${type.split('.')[0]} ${resourceId} ${sequence}`)
  return [...same].flatMap(([what, events]) =>
    events.length === 1 ? [] : [violation('doubled', what, `The feed has ${events.length} events of this number.`)],
  )
}
