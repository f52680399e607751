import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ACTIVE } from '../../../api/job-filters.ts'
import { useLive } from '../../../api/live.tsx'
import type { Computer } from '../../../api/resources.ts'
import { useJobs } from '../../../api/use-jobs.ts'
import { announce } from '../../../ui/announce.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { JobList } from '../../jobs/job-list.tsx'

const JOBS_SHOWN = 100

/** Asks for the name, and lists the jobs that end. */
export function DeleteDialog({ computer, onClose }: { computer: Computer; onClose(): void }) {
  const { id, name } = computer
  const { mode, send, resources } = useLive()
  const navigate = useNavigate()
  const jobs = useJobs({ query: { state: ACTIVE, computerId: id }, dir: 'asc', limit: JOBS_SHOWN })
  const remove = useMutation({
    mutationFn: () => send((api) => api.DELETE('/v1/computers/{id}', { params: { path: { id } } })),
    async onSuccess() {
      announce(`Deleted the ${mode} computer ${name}`)
      await navigate({ to: '/$mode/computers', params: { mode } })
      resources.remove(id)
    },
  })
  return (
    <Confirm
      title={`Delete the ${mode} computer ${name}?`}
      action="Delete computer"
      mutation={remove}
      onClose={onClose}
      typed={name}
    >
      <p>Its printers are removed, and its agent can no longer connect. This cannot be undone.</p>
      <Loaded query={jobs} failure="The jobs could not be loaded.">
        {({ ids, hasMore }) =>
          ids.length === 0 ? (
            <p>No job waits for it.</p>
          ) : (
            <>
              <p>
                {hasMore ? `More than ${ids.length}` : ids.length} {ids.length === 1 ? 'job ends' : 'jobs end'} without
                being printed:
              </p>
              <div className="max-h-48 overflow-y-auto rounded-md border">
                <JobList label="Affected jobs" ids={ids} />
              </div>
            </>
          )
        }
      </Loaded>
    </Confirm>
  )
}
