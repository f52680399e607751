import { CANCELLABLE_STATES } from '@platen/resources/job-states.ts'
import { Link, useParams } from '@tanstack/react-router'
import { ChevronDown, ChevronUp, type LucideIcon } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useLive, useResource } from '../../../api/live.tsx'
import { isFinal } from '../../../api/resources.ts'
import { PageHeader } from '../../../shell/page-header.tsx'
import { Button } from '../../../ui/button.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { CopyButton } from '../../../ui/copy.tsx'
import { CopyableId } from '../../../ui/copyable-id.tsx'
import { Curl } from '../../../ui/curl.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { isNotFound, NotHere } from '../../../ui/not-here.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { findNeighbour } from '../job-order.ts'
import { JobState } from '../job-state.tsx'
import { Deliveries } from './deliveries.tsx'
import { JobDocument } from './document.tsx'
import { JobSummary } from './job-summary.tsx'
import { Timeline } from './timeline.tsx'
import { type Explanation, useExplanation } from './use-explanation.ts'
import { useJobActions } from './use-job-actions.ts'

const Details = lazy(async () => ({ default: (await import('./details.tsx')).Details }))

const PATH = [{ label: 'Jobs', to: '/$mode/jobs' }] as const

export function JobPage() {
  const { jobId } = useParams({ from: '/$mode/jobs/$jobId' })
  const query = useExplanation(jobId)
  // The cached job, shown until the explanation has loaded.
  const known = useResource('printjob', jobId)
  const title = known?.title ?? 'Print job'
  if (query.data) return <Job key={jobId} explanation={query.data} failure={query.error} onRetry={query.refetch} />
  return (
    <>
      <PageHeader title={title} path={PATH} />
      <div className="p-4">
        {isNotFound(query.error) ? (
          <NotHere id={jobId} what="print job" listed={{ to: '/$mode/jobs', search: { state: 'all' } }}>
            All jobs
          </NotHere>
        ) : query.isError ? (
          <ErrorPanel title="The job could not be loaded." error={query.error} onRetry={() => query.refetch()} />
        ) : (
          <Loading label="Loading the job …" />
        )}
      </div>
    </>
  )
}

interface JobProps {
  explanation: Explanation
  /** The failure of the last request, which shows that the page is not current. */
  failure: Error | null
  onRetry(): void
}

function Job({ explanation, failure, onRetry }: JobProps) {
  const { isPermitted } = useLive()
  // The feed can be ahead of the explanation.
  const job = useResource('printjob', explanation.jobId) ?? explanation.job
  const actions = useJobActions(job, explanation.paper)
  const isAdmin = isPermitted('listPrintJobDeliveries')
  const isCancellable = CANCELLABLE_STATES.includes(job.state)

  return (
    <>
      <PageHeader title={job.title} path={PATH}>
        <Neighbour id={job.id} step={-1} label="Previous job" shortcut="k" Icon={ChevronUp} />
        <Neighbour id={job.id} step={1} label="Next job" shortcut="j" Icon={ChevronDown} />
        <Button aria-keyshortcuts="r" onClick={() => actions.askToPrint()} disabled={actions.reprint.isPending}>
          Print again
        </Button>
        {job.stateReasons.includes('held') && !isFinal(job) && (
          <Button
            onClick={() => actions.release.mutate()}
            disabled={actions.release.isPending || !isPermitted('releasePrintJob')}
          >
            Release
          </Button>
        )}
        <Button
          aria-keyshortcuts="x"
          onClick={actions.askToCancel}
          disabledReason={
            isFinal(job)
              ? 'The job has ended.'
              : !isCancellable
                ? 'The agent has received the job, so it cannot be cancelled any more.'
                : isPermitted('cancelPrintJob')
                  ? undefined
                  : 'Only owners and admins can cancel jobs.'
          }
        >
          Cancel
        </Button>
        <CopyButton text={location.href} label="Copy link" />
      </PageHeader>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b bg-surface px-4 py-2 text-sm">
        <JobState state={job.state} />
        <span>
          <span className="text-muted">on</span> {explanation.printer?.displayName ?? 'a removed printer'}
        </span>
        <span>
          <span className="text-muted">of computer</span> {explanation.computer?.name ?? '(deleted)'}
        </span>
        <CopyableId id={job.id} number={job.number} shortcut="c" />
      </div>
      <div className="grid items-start gap-4 p-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-4">
          {failure && <ErrorPanel title="The job could not be updated." error={failure} onRetry={onRetry} />}
          <JobSummary explanation={explanation} actions={actions} />
          <Timeline explanation={explanation} />
          <JobDocument key={job.id} job={job} />
        </div>
        <Suspense>
          <Details explanation={explanation} job={job} />
        </Suspense>
        <div className="min-w-0">
          <Tabs
            label="More about the job"
            tabs={[
              ...(isAdmin ? [{ label: 'Webhooks', content: <Deliveries jobId={job.id} /> }] : []),
              { label: 'JSON', content: <CodeBlock label="The job as the API shows it" code={toJson(job)} /> },
              {
                label: 'Requests',
                content: (
                  <div className="flex flex-col gap-4">
                    <p className="text-sm text-muted">
                      The requests of this page with an API key: <code className="font-mono">export PLATEN_KEY=…</code>
                    </p>
                    <Curl label="Print again" call={actions.calls.reprint} />
                    <Curl label="Cancel" call={actions.calls.cancel} />
                    <Curl label="Explain this job" call={actions.calls.explain} />
                  </div>
                ),
              },
            ]}
          />
        </div>
      </div>
    </>
  )
}

interface NeighbourProps {
  id: string
  step: 1 | -1
  label: string
  shortcut: string
  Icon: LucideIcon
}

/** A neighbour in the list from which the job was opened. */
function Neighbour({ id, step, label, shortcut, Icon }: NeighbourProps) {
  const { mode } = useLive()
  const jobId = findNeighbour(id, step)
  return (
    jobId && (
      <Link
        to="/$mode/jobs/$jobId"
        params={{ mode, jobId }}
        preload={false}
        aria-label={label}
        title={label}
        aria-keyshortcuts={shortcut}
        className="button button-quiet px-1.5"
      >
        <Icon size={15} aria-hidden />
      </Link>
    )
  )
}

const toJson = (value: unknown) => JSON.stringify(value, null, 2)
