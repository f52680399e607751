import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useLive } from '../../api/live.tsx'
import { useJobs } from '../../api/use-jobs.ts'
import { PageHeader } from '../../shell/page-header.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { JobList } from '../../ui/job-list.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Section } from '../../ui/section.tsx'
import { useAttention } from './use-attention.ts'

const RECENT = 20
const ENTRIES = 10

/** What needs attention, then the newest jobs. */
export function OverviewPage() {
  return (
    <>
      <PageHeader title="Overview" />
      <div className="flex flex-col gap-4 p-4">
        <AttentionList />
        <RecentJobs />
      </div>
    </>
  )
}

function AttentionList() {
  const { entries, isPending, failed, printers, computers } = useAttention()
  const [isComplete, setIsComplete] = useState(false)
  const shown = isComplete ? entries : entries.slice(0, ENTRIES)
  return (
    <Section title="Needs attention" isFlush>
      {failed && (
        <div className="p-4">
          <ErrorPanel title="This list is not complete." error={failed.error} onRetry={() => failed.refetch()} />
        </div>
      )}
      {entries.length > 0 ? (
        <ul aria-label="Needs attention">
          {shown.map(({ id, text, action, link }) => (
            <li
              key={id}
              className="flex min-h-10 flex-wrap items-center justify-between gap-x-4 border-b px-4 py-1.5 text-sm last:border-0"
            >
              <span className="flex min-w-0 items-baseline gap-2">
                <span aria-hidden className="text-warn">
                  ▲
                </span>
                {text}
              </span>
              <Link {...link} className="link">
                {action}
              </Link>
            </li>
          ))}
          {shown.length < entries.length && (
            <li className="flex justify-center p-2">
              <Button onClick={() => setIsComplete(true)}>Show {entries.length - shown.length} more</Button>
            </li>
          )}
        </ul>
      ) : isPending ? (
        <Loading />
      ) : (
        !failed && (
          <p className="p-4 text-sm">
            <span aria-hidden className="mr-2 text-ok">
              ●
            </span>
            Nothing. {countOnline(printers)} printers and {countOnline(computers)} computers are online.
          </p>
        )
      )}
    </Section>
  )
}

function RecentJobs() {
  const { mode } = useLive()
  const query = useJobs({ query: {}, dir: 'desc', limit: RECENT })
  return (
    <Section
      title="Recent jobs"
      isFlush
      actions={
        <Link to="/$mode/jobs" params={{ mode }} search={{ state: 'all' }} className="link text-sm">
          All jobs
        </Link>
      }
    >
      <Loaded query={query} failure="The recent jobs could not be loaded.">
        {({ ids }) =>
          ids.length === 0 ? (
            <Empty title={`No print jobs in ${mode} mode`}>
              <p className="mb-3">Jobs that are sent to the API appear here.</p>
              <Link to="/$mode/start" params={{ mode: 'test' }} className="link">
                Print a first document
              </Link>
            </Empty>
          ) : (
            <JobList label="Recent jobs" ids={ids} />
          )
        }
      </Loaded>
    </Section>
  )
}

const countOnline = (all: readonly { state: string }[]) =>
  `${all.filter(({ state }) => state === 'online').length} of ${all.length}`
