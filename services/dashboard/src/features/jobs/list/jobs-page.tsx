import { SEARCH } from '@platen/resources/limits.ts'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import type { JobFilters } from '../../../api/job-filters.ts'
import { useLive, usePrinters } from '../../../api/live.tsx'
import { PageHeader } from '../../../shell/page-header.tsx'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { FilterBar } from './filter-bar.tsx'
import { JobTable } from './job-table.tsx'
import { useJobList } from './use-job-list.ts'

const BulkBar = lazy(async () => ({ default: (await import('./bulk-bar.tsx')).BulkBar }))

export function JobsPage() {
  const { mode } = useLive()
  const search = useSearch({ from: '/$mode/jobs' })
  const navigate = useNavigate({ from: '/$mode/jobs' })
  const { org: _, ...filters } = search
  // A stable object for equal filters, and a new list (selection, scroll) for others.
  const text = JSON.stringify(filters)
  const stable = useMemo(() => JSON.parse(text) as JobFilters, [text])
  return (
    <>
      <PageHeader title="Jobs">
        <Link to="/$mode/print" params={{ mode }} search={{}} className="button">
          Print a document
        </Link>
      </PageHeader>
      <FilterBar
        filters={stable}
        onChange={(changes) =>
          navigate({
            search: (previous) => ({ org: previous.org, ...stable, q: undefined, ...changes }),
            replace: true,
          })
        }
      />
      <JobList key={text} filters={stable} />
    </>
  )
}

function JobList({ filters }: { filters: JobFilters }) {
  const { mode } = useLive()
  usePrinters()
  const isAtTop = useIsAtTop()
  const list = useJobList(filters, isAtTop)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())

  if (list.isPending || (list.ids.length === 0 && list.hasNextPage && !list.isError))
    return <Loading label="Loading jobs …" />
  if (list.isError && list.ids.length === 0)
    return (
      <div className="p-4">
        <ErrorPanel title="The jobs could not be loaded." error={list.error} onRetry={() => list.refetch()} />
      </div>
    )
  if (list.ids.length === 0) return <NoJobs filters={filters} mode={mode} />
  return (
    <>
      {list.fresh > 0 && (
        <div className="sticky top-2 z-10 flex h-0 justify-center max-md:top-14">
          <Button
            variant="primary"
            className="shadow-lg"
            onClick={() => {
              list.showFresh()
              scrollTo({ top: 0 })
            }}
          >
            {list.fresh} new
          </Button>
        </div>
      )}
      {filters.q !== undefined && (
        <p className="px-4 py-2 text-xs text-muted">
          Jobs in all states that match “{filters.q}”, the newest {SEARCH.resultsMax} at most.
        </p>
      )}
      <JobTable list={list} selected={selected} onSelect={setSelected} />
      {selected.size > 0 && (
        <Suspense>
          <BulkBar filters={filters} list={list} selected={selected} onSelect={setSelected} />
        </Suspense>
      )}
    </>
  )
}

function useIsAtTop(): boolean {
  const [isAtTop, setIsAtTop] = useState(scrollY < 8)
  useEffect(() => {
    const onScroll = () => setIsAtTop(scrollY < 8)
    addEventListener('scroll', onScroll, { passive: true })
    return () => removeEventListener('scroll', onScroll)
  }, [])
  return isAtTop
}

function NoJobs({ filters, mode }: { filters: JobFilters; mode: string }) {
  const navigate = useNavigate({ from: '/$mode/jobs' })
  const { org } = useSearch({ from: '/$mode/jobs' })
  const showAll = <Button onClick={() => navigate({ search: { org, state: 'all' } })}>Show all jobs</Button>
  const { state, ...others } = filters
  const isFiltered = Object.keys(others).length > 0 || (state !== undefined && state !== 'all')
  if (state === undefined && !isFiltered)
    return (
      <Empty title="Nothing needs attention">
        <p className="mb-3">No job has failed or expired, and none has been waiting for more than 5 minutes.</p>
        {showAll}
      </Empty>
    )
  if (filters.q !== undefined)
    return (
      <Empty title={`No job matches “${filters.q}”`}>
        <p className="mb-3">
          Searched in all jobs in {mode} mode: beginnings of words of the title, number, id, source and printer.
        </p>
        {showAll}
      </Empty>
    )
  if (isFiltered)
    return (
      <Empty title="No job matches these filters">
        <p className="mb-3">Filters select the jobs that match all of them.</p>
        {showAll}
      </Empty>
    )
  return (
    <Empty
      title={`No print jobs in ${mode} mode`}
      curl={`curl ${location.origin}/v1/printjobs \\
  -H "Authorization: Bearer $PLATEN_KEY" \\
  -F printerId=… -F title=Hello -F file=@document.pdf`}
    >
      Jobs that are sent to the API appear here. They are kept for a year.
    </Empty>
  )
}
