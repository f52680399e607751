import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { ACTIVE } from '../../../api/job-filters.ts'
import { useLive } from '../../../api/live.tsx'
import type { Computer } from '../../../api/resources.ts'
import { useJobs } from '../../../api/use-jobs.ts'
import { useDevice } from '../../../api/use-one.ts'
import { PageHeader } from '../../../shell/page-header.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyableId } from '../../../ui/copyable-id.tsx'
import { ComputerState } from '../../../ui/device-state.tsx'
import { Fact, Facts } from '../../../ui/facts.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Section } from '../../../ui/section.tsx'
import { Age, Clock } from '../../../ui/time.tsx'
import { AlertButton } from '../../alerts/alert-button.tsx'
import { JobList } from '../../jobs/job-list.tsx'
import { JobFigures } from '../../usage/statistics/job-figures.tsx'
import { AgentUpdate } from './agent-update.tsx'
import { ComputerPrinters } from './computer-printers.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { Diagnostics } from './diagnostics.tsx'
import { PauseButton, PauseNotice, usePause } from './pause.tsx'

const JOBS_SHOWN = 100

export function ComputerPage() {
  const { computerId: id } = useParams({ from: '/$mode/computers/$computerId' })
  const { mode, isPermitted } = useLive()
  const [isDeleting, setIsDeleting] = useState(false)
  const { query, known } = useDevice('computer', id, (api) =>
    api.GET('/v1/computers/{id}', { params: { path: { id } } }),
  )
  const pause = usePause({ id, name: known?.name ?? '', pausedAt: known?.pausedAt ?? null })
  const title = known?.name ?? 'Computer'
  return (
    <>
      <PageHeader title={title} path={[{ label: 'Computers', to: '/$mode/computers' }]}>
        <AlertButton device={{ computerId: id, printerId: null }} />
        {known && <PauseButton computer={known} pause={pause} />}
        <Button
          onClick={() => setIsDeleting(true)}
          disabledReason={
            mode === 'test'
              ? 'The virtual computer of test mode cannot be deleted.'
              : isPermitted('deleteComputer')
                ? undefined
                : 'Only owners and admins can delete computers.'
          }
        >
          Delete
        </Button>
      </PageHeader>
      <div className="flex flex-col gap-4 p-4">
        {known && <PauseNotice computer={known} pause={pause} />}
        <Loaded query={query} failure="The computer could not be loaded.">
          {(loaded) => <ComputerDetails computer={known ?? loaded} />}
        </Loaded>
      </div>
      {isDeleting && known && <DeleteDialog computer={known} onClose={() => setIsDeleting(false)} />}
    </>
  )
}

function ComputerDetails({ computer }: { computer: Computer }) {
  const { id, hostname, os, osVersion, arch, agentVersion, state, unauthorizedAt, lastSeenAt, createdAt } = computer
  const { mode } = useLive()
  const jobs = useJobs({ query: { state: ACTIVE, computerId: id }, dir: 'asc', limit: JOBS_SHOWN })
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="flex min-w-0 flex-col gap-4">
        <ComputerPrinters computer={computer} />
        <Section title="Current jobs" isFlush>
          <Loaded query={jobs} failure="The jobs could not be loaded.">
            {({ ids, hasMore }) =>
              ids.length === 0 ? (
                <p className="p-4 text-sm text-muted">No job waits or prints.</p>
              ) : (
                <>
                  <JobList label="Current jobs" ids={ids} />
                  {hasMore && <p className="p-3 text-xs text-muted">The oldest {JOBS_SHOWN} jobs are shown.</p>}
                </>
              )
            }
          </Loaded>
        </Section>
        <JobFigures device={{ computerId: id }} />
        {mode === 'live' && <Diagnostics computer={computer} />}
      </div>
      <Section title="Details">
        <Facts>
          <Fact name="State">
            <ComputerState computer={computer} />
          </Fact>
          <Fact name="Last contact">{lastSeenAt ? <Age time={lastSeenAt} isPast /> : 'never'}</Fact>
          <Fact name="Host name">{hostname}</Fact>
          <Fact name="System">{[os, osVersion, arch].filter(Boolean).join(' ')}</Fact>
          <Fact name="Agent">{agentVersion}</Fact>
          <Fact name="Enrolled">
            <Clock time={createdAt} />
          </Fact>
          <Fact name="Id">
            <CopyableId id={id} />
          </Fact>
        </Facts>
        <AgentUpdate computer={computer} />
        {unauthorizedAt ? (
          <Unauthorized since={unauthorizedAt} />
        ) : (
          state === 'offline' && (
            <p className="mt-3 text-sm text-muted">
              Start the computer. If it runs, <code className="font-mono text-xs">platen-agent doctor</code> on it finds
              the cause.
            </p>
          )
        )}
      </Section>
    </div>
  )
}

function Unauthorized({ since }: { since: string }) {
  const { mode } = useLive()
  return (
    <p className="mt-3 text-sm text-warn">
      The service has refused the agent since <Clock time={since} />, because its credential was replaced.{' '}
      <Link to="/$mode/computers/new" params={{ mode }} className="underline">
        Enrol the computer again
      </Link>
      : it keeps its printers and jobs.
    </p>
  )
}
