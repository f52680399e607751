import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { useEvents, useLive } from '../../../api/live.tsx'
import { pagesQuery } from '../../../api/queries.ts'
import type { FeedEvent, Printer } from '../../../api/resources.ts'
import { usePages } from '../../../api/use-pages.ts'
import { DeviceState } from '../../../ui/device-state.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { More } from '../../../ui/more.tsx'
import { Section } from '../../../ui/section.tsx'
import { Table } from '../../../ui/table.tsx'
import { Clock, formatDuration, useNow } from '../../../ui/time.tsx'
import { mergeLoaded, type Period, toPeriods } from './periods.ts'

const STEP = 10

/** The states of a printer as long as events are kept. */
export function StateHistory({ printer }: { printer: Printer }) {
  const [shown, setShown] = useState(STEP)
  const own = useResourceEvents(printer.id)
  const ofComputer = useResourceEvents(printer.computerId)
  const queries = [own, ofComputer]
  const failed = queries.find(({ isError }) => isError)
  const isLoaded = own.data && ofComputer.data
  const periods =
    isLoaded &&
    toPeriods(
      mergeLoaded(queries.map(({ data = [], hasNextPage }) => ({ events: data, hasMore: hasNextPage }))),
      printer,
    )
  const loadable = queries.filter(({ hasNextPage }) => hasNextPage)
  const isComplete = periods !== undefined && periods.length <= shown
  const more = {
    hasNextPage: periods !== undefined && (!isComplete || loadable.length > 0),
    isFetchingNextPage: queries.some(({ isFetchingNextPage }) => isFetchingNextPage),
    isFetchNextPageError: queries.some(({ isFetchNextPageError }) => isFetchNextPageError),
    error: failed?.error ?? null,
    fetchNextPage() {
      setShown(shown + STEP)
      if (isComplete) for (const query of loadable) void query.fetchNextPage()
    },
  }
  return (
    <Section title="States" isFlush>
      <Loaded
        query={{
          data: periods,
          isError: failed !== undefined,
          error: failed?.error ?? null,
          refetch: () => failed?.refetch(),
        }}
        failure="The states could not be loaded."
      >
        {(periods) => (
          <>
            <Table
              label="States"
              columns={[
                { label: 'State', className: 'md:w-28' },
                { label: 'From', className: 'w-32' },
                { label: 'To', className: 'hidden w-32 sm:table-cell' },
                { label: 'For', className: 'hidden w-24 sm:table-cell' },
                { label: 'Reason', className: 'hidden md:table-cell' },
              ]}
            >
              {periods.slice(0, shown).map((period) => (
                <PeriodRow key={period.from} period={period} />
              ))}
            </Table>
            <p className="px-4 py-3 text-xs text-muted">
              From the events of the printer and its computer, which are kept for 30 days unless the operator has set
              another time.
            </p>
          </>
        )}
      </Loaded>
      <More query={more} />
    </Section>
  )
}

function PeriodRow({ period: { state, isEnabled, reason, from, to } }: { period: Period }) {
  const now = useNow()
  const details = (
    <>
      {!isEnabled && <span className="text-warn">disabled </span>}
      <span className="text-muted">{reason}</span>
    </>
  )
  return (
    <tr>
      <td>
        <DeviceState state={state} />
        <span className="block truncate pb-1 text-xs md:hidden">{details}</span>
      </td>
      <td>{from ? <Clock time={from} /> : 'earlier'}</td>
      <td className="hidden sm:table-cell">{to ? <Clock time={to} /> : 'now'}</td>
      <td className="hidden text-muted sm:table-cell">
        {from && formatDuration((to ? Date.parse(to) : now) - Date.parse(from))}
      </td>
      <td className="hidden md:table-cell" title={reason}>
        {details}
      </td>
    </tr>
  )
}

/** The events of a printer or computer, newest first. */
function useResourceEvents(resourceId: string) {
  const live = useLive()
  const { feed } = live
  const queryKey = useMemo(() => [...live.key, 'events-of', resourceId], [live.key, resourceId])
  const queryClient = useQueryClient()
  useEvents(
    useCallback(
      (events) => {
        if (events.some(({ data }) => data.id === resourceId)) void queryClient.invalidateQueries({ queryKey })
      },
      [queryClient, queryKey, resourceId],
    ),
  )
  return usePages<FeedEvent>(
    pagesQuery(
      live,
      queryKey,
      (query) => async (api) => {
        await feed.opened
        return await api.GET('/v1/events', { params: { query: { ...query, resourceId, dir: 'desc' } } })
      },
      { isRefreshed: false },
    ),
  )
}
