import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useLive, useResource } from '../../api/live.tsx'
import { isFinal } from '../../api/resources.ts'
import { isPermitted } from '../../api/session.ts'
import { PageHeader } from '../../shell/page-header.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Curl } from '../../ui/curl.tsx'
import { Dialog, DialogButtons } from '../../ui/dialog.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { JobState } from '../../ui/job-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Deliveries } from './deliveries.tsx'
import { Details } from './details.tsx'
import { JobDocument } from './document.tsx'
import { Summary } from './summary.tsx'
import { Timeline } from './timeline.tsx'
import { type Explanation, useExplanation } from './use-explanation.ts'
import { useJobActions } from './use-job-actions.ts'

const PATH = [{ label: 'Jobs', to: '/$mode/jobs' }] as const

export function JobPage() {
  const { jobId } = useParams({ from: '/$mode/jobs/$jobId' })
  const query = useExplanation(jobId)
  // Of the list, until the explanation is there.
  const known = useResource('printjob', jobId)
  const title = known?.title ?? 'Print job'
  if (query.data) return <Job key={jobId} explanation={query.data} failure={query.error} onRetry={query.refetch} />
  return (
    <>
      <PageHeader title={title} path={PATH} />
      <div className="p-4">
        {query.isError ? (
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
  /** Of the last request, which shows that the page is not current. */
  failure: Error | null
  onRetry(): void
}

function Job({ explanation, failure, onRetry }: JobProps) {
  const { mode, role } = useLive()
  // The feed can be ahead of the explanation.
  const job = useResource('printjob', explanation.jobId) ?? explanation.job
  const { calls, printAgain, reprint, cancel } = useJobActions(job)
  const [confirming, setConfirming] = useState<'reprint' | 'cancel'>()
  const [target, setTarget] = useState<string>()
  const isAdmin = isPermitted('administer', role)
  const isCancellable = job.state === 'queued' || job.state === 'sent'

  const askAndPrint = (printerId?: string) => {
    setTarget(printerId)
    // A sheet may be there already, or may still come.
    if (explanation.paper === 'none' || explanation.paper === 'printed') printAgain(printerId)
    else setConfirming('reprint')
  }
  return (
    <>
      <PageHeader title={job.title} path={PATH}>
        <Button onClick={() => askAndPrint()} disabled={reprint.isPending}>
          Print again
        </Button>
        <Button
          onClick={() => setConfirming('cancel')}
          disabledReason={
            isFinal(job)
              ? 'The job has ended.'
              : !isCancellable
                ? 'The agent has received the job, so it cannot be cancelled any more.'
                : isPermitted('cancel', role)
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
        <span>{explanation.printer?.displayName ?? 'removed printer'}</span>
        <span className="text-muted">{explanation.computer?.name ?? 'deleted computer'}</span>
        <span className="text-muted">{mode}</span>
        <span className="flex items-center gap-1">
          <span className="id">{job.id}</span>
          <CopyButton isCompact text={job.id} label="Copy id" />
        </span>
      </div>
      <div className="grid items-start gap-4 p-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-4">
          {failure && <ErrorPanel title="The job could not be updated." error={failure} onRetry={onRetry} />}
          {reprint.isError && <ErrorPanel title="No job was created." error={reprint.error} />}
          {cancel.isError && <ErrorPanel title="The job was not cancelled." error={cancel.error} />}
          <Summary
            explanation={explanation}
            onPrintAgain={askAndPrint}
            onNoPaper={printAgain}
            isBusy={reprint.isPending}
          />
          <Timeline explanation={explanation} />
          <JobDocument key={job.id} job={job} />
        </div>
        <Details explanation={explanation} job={job} />
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
                    <Curl label="Print again" call={calls.reprint} />
                    <Curl label="Cancel" call={calls.cancel} />
                    <Curl label="Explain this job" call={calls.explain} />
                  </div>
                ),
              },
            ]}
          />
        </div>
      </div>
      {confirming === 'cancel' && (
        <Dialog title={`Cancel this ${mode} job?`} onClose={() => setConfirming(undefined)}>
          <p className="text-sm">{job.title} will not be printed. It can be printed again later.</p>
          <DialogButtons>
            <Button onClick={() => setConfirming(undefined)}>Back</Button>
            <Button
              variant="danger"
              onClick={() => {
                setConfirming(undefined)
                cancel.mutate()
              }}
            >
              Cancel the job
            </Button>
          </DialogButtons>
        </Dialog>
      )}
      {confirming === 'reprint' && (
        <Dialog title="Print again?" onClose={() => setConfirming(undefined)}>
          <p className="text-sm">
            {explanation.paper === 'maybe'
              ? 'Nobody knows whether this job was printed. Check for the paper first.'
              : 'This job has not ended, so it may still be printed. A second job would print it twice.'}
          </p>
          <DialogButtons>
            <Button onClick={() => setConfirming(undefined)}>Back</Button>
            <Button
              variant="primary"
              onClick={() => {
                setConfirming(undefined)
                printAgain(target)
              }}
            >
              {explanation.paper === 'maybe' ? 'No paper: print again' : `Create a ${mode} job`}
            </Button>
          </DialogButtons>
        </Dialog>
      )}
    </>
  )
}

const toJson = (value: unknown) => JSON.stringify(value, null, 2)
