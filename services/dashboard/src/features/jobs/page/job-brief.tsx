import { useResource } from '../../../api/live.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { JobSummary } from './job-summary.tsx'
import { type Explanation, useExplanation } from './use-explanation.ts'
import { useJobActions } from './use-job-actions.ts'

/** What a job needs, beside a list. */
export function JobBrief({ id }: { id: string }) {
  const query = useExplanation(id)
  return (
    <Loaded query={query} failure="The job could not be loaded.">
      {(explanation) => <Brief explanation={explanation} />}
    </Loaded>
  )
}

function Brief({ explanation }: { explanation: Explanation }) {
  const job = useResource('printjob', explanation.jobId) ?? explanation.job
  const actions = useJobActions(job, explanation.paper)
  return <JobSummary explanation={explanation} actions={actions} />
}
