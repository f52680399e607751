import { Link } from '@tanstack/react-router'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useLive, useResource } from '../../../api/live.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { RowDetails } from '../../../ui/row-details.tsx'
import { areShortcutsOn } from '../../../ui/shortcuts.ts'
import { Age } from '../../../ui/time.tsx'
import { useMedia } from '../../../ui/use-media.ts'
import { describeJobReason } from '../../devices/reasons.ts'
import { setJobOrder } from '../job-order.ts'
import { JobState } from '../job-state.tsx'
import { hasPanel, JobPanel } from './job-panel.tsx'
import type { useJobList } from './use-job-list.ts'

const HEAD_HEIGHT = 36
const ROW_HEIGHT = 36
/** With a second line. */
const NARROW_ROW_HEIGHT = 52
const COLUMNS = 8

/** Steps by key, of the rows. */
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
  const rowHeight = useMedia('(width < 40rem)') ? NARROW_ROW_HEIGHT : ROW_HEIGHT
  const [scrollMargin, setScrollMargin] = useState(0)
  useLayoutEffect(() => {
    const { current } = ref
    if (current) setScrollMargin(current.getBoundingClientRect().top + scrollY + HEAD_HEIGHT)
  }, [])
  const virtualizer = useWindowVirtualizer({
    count: ids.length,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the virtualizer reads the height of rows again
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight])
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

  // The index of the row that was selected last, from which Shift extends the selection.
  const anchor = useRef<number>(undefined)
  const [beside, setBeside] = useState<string>()
  const state = useRef({ ids, selected, beside, onSelect })
  state.current = { ids, selected, beside, onSelect }
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
  /** A click beside the links of a row, as Space on its link. */
  const showClicked = ({ target }: MouseEvent) => {
    const element = target as HTMLElement
    const row = element.closest<HTMLElement>('tr[data-index]')
    if (row && !element.closest('a, input') && hasPanel()) setBeside(ids[Number(row.dataset.index)])
  }
  const closePanel = useCallback(() => {
    setBeside(undefined)
    focusRow(state.current.ids.indexOf(state.current.beside ?? ''))
  }, [focusRow])

  const isAllSelected = ids.every((id) => selected.has(id))
  const onOpen = useCallback(() => setJobOrder(state.current.ids), [])
  return (
    <div className={beside === undefined ? '' : 'lg:grid lg:grid-cols-[minmax(0,1fr)_26rem]'}>
      <div className="@container min-w-0">
        <table
          ref={ref}
          className="table bg-surface"
          aria-label="Print jobs"
          aria-rowcount={-1}
          onKeyDown={moveFocus}
          onClick={showClicked}
        >
          <thead>
            <tr aria-rowindex={1} style={{ height: HEAD_HEIGHT }}>
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
              <th className="hidden w-18 @lg:table-cell">Number</th>
              <th>Title</th>
              <th className="hidden w-[18%] @lg:table-cell">Printer</th>
              <th className="hidden w-28 @4xl:table-cell">Source</th>
              <th className="w-16">Age</th>
              <th className="hidden w-[26%] @3xl:table-cell">Reason</th>
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
                  height={rowHeight}
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
  /** In pixels. */
  height: number
  isSelected: boolean
  /** Whether the panel shows it. */
  isBeside: boolean
  onToggle(index: number, isExtended: boolean): void
  onOpen(): void
}

const JobRow = memo(function JobRow({ id, index, height, isSelected, isBeside, onToggle, onOpen }: JobRowProps) {
  const job = useResource('printjob', id)
  const printer = useResource('printer', job?.printerId ?? '')
  const { mode } = useLive()
  const reason = job && describeJobReason(job, printer)
  return (
    <tr
      data-index={index}
      data-job={id}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      aria-current={isBeside || undefined}
      style={{ height }}
    >
      <td className="pl-4!">
        <input
          type="checkbox"
          className="size-4 align-middle"
          aria-label={`Select ${job?.title ?? id}`}
          checked={isSelected}
          onClick={({ shiftKey }) => onToggle(index, shiftKey)}
        />
      </td>
      {job ? (
        <>
          <td>
            <JobState state={job.state} />
          </td>
          <td className="hidden text-muted @lg:table-cell">#{job.number}</td>
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
            {job.reprintOf && <span className="text-muted"> reprint</span>}
            <RowDetails parts={[`#${job.number}`, printer?.displayName, reason]} />
          </td>
          <td className="hidden @lg:table-cell">
            {printer ? (
              <span title={printer.displayName}>{printer.displayName}</span>
            ) : (
              <span className="id">{job.printerId}</span>
            )}
          </td>
          <td className="hidden text-muted @4xl:table-cell" title={job.source}>
            {job.source}
          </td>
          <td className="text-muted">
            <Age time={job.createdAt} />
          </td>
          <td className="hidden text-muted @3xl:table-cell" title={reason}>
            {reason}
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
