import { create } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { type Job, JobDetailsSchema, type JobEvent, type JobQueue } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { explain } from '@platen/resources/explain/explain.ts'
import { toFacts } from '@platen/resources/explain/to-facts.ts'
import { WAITING_LONG_MS } from '@platen/resources/job-states.ts'
import { required } from '../required.ts'
import { countJobs, type Devices, type Entry, toEntry } from './entry.ts'

/** The queues whose oldest job is old. */
export const findLongQueues = (queues: JobQueue[], now: Date): JobQueue[] =>
  queues.filter(({ first }) => {
    const createdAt = first?.createdAt
    return createdAt !== undefined && now.getTime() - timestampDate(createdAt).getTime() > WAITING_LONG_MS
  })

/** The oldest jobs that were sent long ago and are not acknowledged. Their events explain them. */
export const findUnacknowledged = (queues: JobQueue[], now: Date): Job[] =>
  findLongQueues(queues, now).flatMap(({ first }) => (first?.state === 'sent' ? first : []))

/**
 * One entry for each computer or printer that jobs wait for. The oldest job of a queue explains it.
 *
 * @param events of jobs, by id. Those of most jobs are not needed.
 */
export function describeWaitingJobs(
  queues: JobQueue[],
  events: Map<string, JobEvent[]>,
  devices: Devices,
  now: Date,
): Entry[] {
  const groups = new Map<string, { entry: Entry; cause: string; jobs: number }>()
  for (const queue of findLongQueues(queues, now)) {
    const { id, printerId, computerId } = required(queue.first)
    const { code, cause, actions } = explainFirst(queue, events.get(id) ?? [], devices, now)
    // A queue that goes on needs no attention.
    if (actions.every(({ kind }) => kind === 'wait')) continue
    const isOfComputer = code.startsWith('computer-')
    const key = isOfComputer ? computerId : printerId
    const group = groups.get(key)
    if (group) group.jobs += queue.jobs
    else {
      const device = isOfComputer ? { computerId } : { printerId }
      groups.set(key, { entry: toEntry({ kind: 'waiting-jobs', code, text: '', ...device }), cause, jobs: queue.jobs })
    }
  }
  return [...groups.values()].map(({ entry, cause, jobs }) => ({
    ...entry,
    text: `${countJobs(jobs)} ${jobs === 1 ? 'waits' : 'wait'}. ${cause}`,
    jobs,
  }))
}

/** Without the end of the time of the job, which does not concern the other jobs. */
function explainFirst(
  { first, isFetching }: JobQueue,
  events: JobEvent[],
  { printers, computers }: Devices,
  now: Date,
) {
  const job = { ...required(first), expiresAt: undefined }
  const facts = toFacts(
    {
      details: create(JobDetailsSchema, { job, isFetching, events }),
      printer: printers.get(job.printerId),
      computer: computers.get(job.computerId),
      deviceEvents: [],
    },
    now,
  )
  return explain(facts)
}
