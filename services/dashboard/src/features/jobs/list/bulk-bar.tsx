import { useState } from 'react'
import { isShown, type JobFilters } from '../../../api/job-filters.ts'
import { useLive } from '../../../api/live.tsx'
import type { Job } from '../../../api/resources.ts'
import { serverNow } from '../../../api/server-time.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy.tsx'
import { downloadCsv, downloadJsonLines } from '../../../ui/download.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import { toColumns } from './export-jobs.ts'
import type { PageStart } from './job-pages.ts'
import { loadPage, type useJobList } from './use-job-list.ts'

interface BulkBarProps {
  filters: JobFilters
  list: ReturnType<typeof useJobList>
  selected: ReadonlySet<string>
  onSelect(selected: ReadonlySet<string>): void
}

/** What can be done with the selected jobs. */
export function BulkBar({ filters, list, selected, onSelect }: BulkBarProps) {
  const live = useLive()
  const [action, setAction] = useState<'cancel' | 'reprint'>()
  const [listing, setListing] = useState<number>()
  const [failure, setFailure] = useState<string>()
  const mayCancel = live.isPermitted('cancelPrintJob')
  const canSelectAll = list.hasNextPage && list.ids.every((id) => selected.has(id))

  const selectAll = async () => {
    setFailure(undefined)
    try {
      const all = new Set<string>()
      let after: PageStart
      do {
        setListing(all.size)
        const page = await loadPage(live, filters, after)
        for (const id of page.ids) {
          const job = live.resources.get('printjob', id)
          if (job && isShown(job, filters, serverNow())) all.add(id)
        }
        after = page.next
      } while (after !== undefined)
      onSelect(all)
    } catch (error) {
      setFailure((error as Error).message)
    } finally {
      setListing(undefined)
    }
  }
  const exportAs = async (format: 'csv' | 'jsonl') => {
    setFailure(undefined)
    try {
      const jobs = await findJobs(live, filters, selected)
      const printerName = (id: string) => live.resources.get('printer', id)?.displayName
      if (format === 'csv') downloadCsv('jobs', toColumns(printerName), jobs)
      else downloadJsonLines('jobs', jobs)
    } catch (error) {
      setFailure((error as Error).message)
    }
  }

  return (
    <section
      aria-label="Selected jobs"
      className="sticky bottom-0 z-10 flex flex-wrap items-center gap-2 border-t bg-surface px-4 py-2 shadow-[0_-4px_12px_rgb(0_0_0/0.06)]"
    >
      <span className="text-sm font-medium">{selected.size} selected</span>
      {canSelectAll && (
        <Button variant="quiet" disabled={listing !== undefined} onClick={selectAll}>
          {listing === undefined ? 'Select all that match' : `${listing} found …`}
        </Button>
      )}
      <Button variant="quiet" onClick={() => onSelect(new Set())}>
        Clear
      </Button>
      {failure && <span className="text-sm text-error">{failure}</span>}
      <span className="ml-auto flex flex-wrap gap-2">
        <CopyButton text={[...selected].join('\n')} label="Copy ids" />
        <Button onClick={() => exportAs('csv')}>CSV</Button>
        <Button onClick={() => exportAs('jsonl')}>JSONL</Button>
        <Button onClick={() => setAction('reprint')}>Print again</Button>
        <Button
          onClick={() => setAction('cancel')}
          disabledReason={mayCancel ? undefined : 'Only owners and admins can cancel jobs.'}
        >
          Cancel jobs
        </Button>
      </span>
      {action && <BulkDialog action={action} ids={[...selected]} onClose={() => setAction(undefined)} />}
    </section>
  )
}

/** The selected jobs in the order of the list. Those that the cache has dropped are loaded again. */
async function findJobs(
  live: Parameters<typeof loadPage>[0],
  filters: JobFilters,
  selected: ReadonlySet<string>,
): Promise<Job[]> {
  const found = new Map<string, Job>()
  const collect = (ids: Iterable<string>) => {
    for (const id of ids) {
      const job = live.resources.get('printjob', id)
      if (job && selected.has(id)) found.set(id, job)
    }
  }
  collect(selected)
  let after: PageStart
  while (found.size < selected.size) {
    const page = await loadPage(live, filters, after)
    collect(page.ids)
    if (page.next === undefined) break
    after = page.next
  }
  return [...selected].flatMap((id) => found.get(id) ?? [])
}
