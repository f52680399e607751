import type { Job } from '../../api/resources.ts'
import { formatDuration, formatMilliseconds } from '../../ui/time.tsx'
import { JobState } from '../jobs/job-state.tsx'

/** The states that the job has reached, and those that it will reach. */
export function Progress({ job }: { job: Job }) {
  const last = job.finishedAt && job.state !== 'done' ? job.state : 'done'
  const steps: [state: Job['state'], at: string | null][] = [
    ['queued', job.createdAt],
    ['sent', job.sentAt],
    ['received', job.receivedAt],
    ['printing', job.printingAt],
    [last, job.finishedAt],
  ]
  const start = Date.parse(job.createdAt)
  return (
    <ol aria-label="Progress" className="flex flex-wrap gap-x-6 gap-y-2 text-sm" data-state={job.state}>
      {steps.map(([state, at]) => (
        <li key={state} className={at ? '' : 'text-muted'}>
          {at ? (
            <>
              <JobState state={state} />
              <span className="ml-1.5 text-xs text-muted" title={formatMilliseconds(at)}>
                {state === 'queued' ? formatMilliseconds(at) : `+${formatDuration(Date.parse(at) - start)}`}
              </span>
            </>
          ) : (
            state
          )}
        </li>
      ))}
    </ol>
  )
}
