import { Link } from '@tanstack/react-router'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, memo, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLive, useResource } from '../../api/live.tsx'
import { isFinal, type Job } from '../../api/resources.ts'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { setJobOrder } from '../../ui/job-order.ts'
import { JobState } from '../../ui/job-state.tsx'
import { areShortcutsOn } from '../../ui/shortcuts.ts'
import { Age, formatDuration } from '../../ui/time.tsx'
import { hasPanel, JobPanel } from './job-panel.tsx'
import type { useJobList } from './use-job-list.ts'

const ROW_HEIGHT = 36
const COLUMNS = 7

/** By key, of the rows. */
const ARROWS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
const STEPS: Record<string, number> = { ...ARROWS, j: 1, k: -1 }

interface JobTableProps {
  list: ReturnType<typeof useJobList>
  selected: ReadonlySet<string>
  onSelect(selected: ReadonlySet<string>): void
}

/** Renders only the visible rows. The height of the others is that of two empty rows. */
export function JobTable({ list, selected, onSelect }: JobTableProps) {
  const { ids, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, ensure } = list
  const ref = useRef<HTMLTableElement>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  useLayoutEffect(() => {
    const { current } = ref
    if (current) setScrollMargin(current.getBoundingClientRect().top + scrollY + ROW_HEIGHT)
  }, [])
  const virtualizer = useWindowVirtualizer({
    count: ids.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    scrollMargin,
  })
  const rows = virtualizer.getVirtualItems()
  const first = rows[0]
  const last = rows.at(-1)
  const before = first ? first.start - scrollMargin : 0
  const after = last ? virtualizer.getTotalSize() - (last.end - scrollMargin) : 0

  const lastIndex = last?.index ?? 0
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError && lastIndex >= ids.length - 30)
      void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, lastIndex, ids.length])
  const firstIndex = first?.index ?? 0
  useEffect(() => ensure(ids.slice(firstIndex, lastIndex + 1)), [ensure, ids, firstIndex, lastIndex])

  // Of the row that was selected last, from which Shift extends the selection.
  const anchor = useRef<number>(undefined)
  const state = useRef({ ids, selected, onSelect })
  state.current = { ids, selected, onSelect }
  const toggle = useCallback((index: number, isExtended: boolean) => {
    const { ids, selected, onSelect } = state.current
    const id = ids[index]
    if (id === undefined) return
    const isSelected = !selected.has(id)
    const from = isExtended ? (anchor.current ?? index) : index
    const changed = new Set(selected)
    for (const each of ids.slice(Math.min(from, index), Math.max(from, index) + 1))
      if (isSelected) changed.add(each)
      else changed.delete(each)
    anchor.current = index
    onSelect(changed)
  }, [])

  const [beside, setBeside] = useState<string>()
  const focusRow = useCallback(
    (index: number) => {
      if (index < 0) return
      const find = () => ref.current?.querySelector<HTMLElement>(`tr[data-index="${index}"] a`)
      virtualizer.scrollToIndex(index)
      const present = find()
      if (present) present.focus()
      else requestAnimationFrame(() => find()?.focus())
    },
    [virtualizer],
  )
  const moveFocus = (event: KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    const row = (target as HTMLElement).closest<HTMLElement>('tr[data-index]')
    if (!row || ctrlKey || metaKey || altKey) return
    const index = Number(row.dataset.index)
    const step = (areShortcutsOn() ? STEPS : ARROWS)[key]
    if (step !== undefined) {
      event.preventDefault()
      const id = ids[index + step]
      if (id === undefined) return
      focusRow(index + step)
      if (beside !== undefined) setBeside(id)
    } else if (key === ' ' && target instanceof HTMLAnchorElement && hasPanel()) {
      event.preventDefault()
      setBeside(ids[index])
    }
  }
  const closePanel = useCallback(() => {
    setBeside(undefined)
    focusRow(state.current.ids.indexOf(beside ?? ''))
  }, [beside, focusRow])

  const isAllSelected = ids.every((id) => selected.has(id))
  const onOpen = useCallback(() => setJobOrder(state.current.ids), [])
  return (
    <div className={beside === undefined ? '' : 'lg:grid lg:grid-cols-[minmax(0,1fr)_26rem]'}>
      <div className="@container min-w-0">
        <table ref={ref} className="table bg-surface" aria-label="Print jobs" aria-rowcount={-1} onKeyDown={moveFocus}>
          <thead>
            <tr aria-rowindex={1} style={{ height: ROW_HEIGHT }}>
              <th className="w-10 pl-4!">
                <input
                  type="checkbox"
                  className="size-4 align-middle"
                  aria-label="Select all loaded jobs"
                  checked={isAllSelected}
                  onChange={() => onSelect(new Set(isAllSelected ? [] : ids))}
                />
              </th>
              <th className="w-28">State</th>
              <th>Title</th>
              <th className="hidden w-[18%] @lg:table-cell">Printer</th>
              <th className="hidden w-28 @4xl:table-cell">Source</th>
              <th className="w-16">Age</th>
              <th className="hidden w-[26%] @3xl:table-cell">Duration or reason</th>
            </tr>
          </thead>
          <tbody>
            <Spacer height={before} />
            {rows.map(({ index }) => {
              const id = ids[index] as string
              return (
                <JobRow
                  key={id}
                  id={id}
                  index={index}
                  isSelected={selected.has(id)}
                  isBeside={id === beside}
                  onToggle={toggle}
                  onOpen={onOpen}
                />
              )
            })}
            <Spacer height={after} />
          </tbody>
        </table>
        <div className="flex min-h-12 items-center justify-center p-3 text-xs text-muted">
          {isFetchNextPageError ? (
            <ErrorPanel title="More jobs could not be loaded." error={list.error} onRetry={() => fetchNextPage()} />
          ) : hasNextPage ? (
            'Loading more …'
          ) : (
            'End of the list'
          )}
        </div>
      </div>
      {beside !== undefined && <JobPanel id={beside} ids={ids} onShow={setBeside} onClose={closePanel} />}
    </div>
  )
}

function Spacer({ height }: { height: number }) {
  if (height <= 0) return null
  return (
    <tr aria-hidden style={{ height }}>
      <td colSpan={COLUMNS} className="h-auto! border-0! p-0!" />
    </tr>
  )
}

interface JobRowProps {
  id: string
  index: number
  isSelected: boolean
  /** Whether the panel shows it. */
  isBeside: boolean
  onToggle(index: number, isExtended: boolean): void
  onOpen(): void
}

const JobRow = memo(function JobRow({ id, index, isSelected, isBeside, onToggle, onOpen }: JobRowProps) {
  const job = useResource('printjob', id)
  const { mode } = useLive()
  return (
    <tr
      data-index={index}
      data-job={id}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      aria-current={isBeside || undefined}
      style={{ height: ROW_HEIGHT }}
    >
      <td className="pl-4!">
        <input
          type="checkbox"
          className="size-4 align-middle"
          aria-label={`Select ${job?.title ?? id}`}
          checked={isSelected}
          onChange={({ nativeEvent }) => onToggle(index, (nativeEvent as MouseEvent).shiftKey)}
        />
      </td>
      {job ? (
        <>
          <td>
            <JobState state={job.state} />
          </td>
          <td>
            <Link
              to="/$mode/jobs/$jobId"
              params={{ mode, jobId: id }}
              preload={false}
              onClick={onOpen}
              className="font-medium hover:underline"
              title={job.title}
            >
              {job.title}
            </Link>
          </td>
          <td className="hidden @lg:table-cell">
            <PrinterName id={job.printerId} />
          </td>
          <td className="hidden text-muted @4xl:table-cell" title={job.source}>
            {job.source}
          </td>
          <td className="text-muted">
            <Age time={job.createdAt} />
          </td>
          <td className="hidden text-muted @3xl:table-cell" title={job.stateMessage ?? undefined}>
            <DurationOrReason job={job} />
          </td>
        </>
      ) : (
        <td colSpan={COLUMNS - 1} className="text-muted">
          …
        </td>
      )}
    </tr>
  )
})

function PrinterName({ id }: { id: string }) {
  const printer = useResource('printer', id)
  return printer ? <span title={printer.displayName}>{printer.displayName}</span> : <span className="id">{id}</span>
}

function DurationOrReason({ job }: { job: Job }) {
  if (job.stateMessage) return job.stateMessage
  if (job.stateReasons.length > 0) return job.stateReasons.join(', ')
  if (!isFinal(job) || !job.finishedAt) return null
  return formatDuration(Date.parse(job.finishedAt) - Date.parse(job.createdAt))
}
