import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '../../../api/client.ts'
import { useLive } from '../../../api/live.tsx'
import { deliveriesKey, type Of } from '../../../api/queries.ts'
import { Loaded } from '../../../ui/loaded.tsx'
import { Section } from '../../../ui/section.tsx'
import { Clock, useNow } from '../../../ui/time.tsx'
import { Figure, Figures, formatShare, formatStart, IntervalSelect } from '../../usage/statistics/figure.tsx'
import { FIGURES_REFRESH_MS, type Interval, sum, toStarts } from '../../usage/statistics/intervals.ts'
import { toDeliveryCounts } from './delivery-counts.ts'

const MINUTE_MS = 60_000

const FIGURES = [
  { title: 'Succeeded', name: 'succeeded', color: 'text-accent' },
  { title: 'Failed or missed', name: 'failedOrMissed', color: 'text-error' },
  { title: 'Pending', name: 'pending', color: 'text-accent' },
] as const

/** Is also loaded again by what changes deliveries, as their list is. */
const deliveryFiguresQuery = (of: Of, id: string, query: { interval: Interval; since: string }) =>
  queryOptions({
    queryKey: [...deliveriesKey(of, id), 'figures', query],
    queryFn: ({ signal }) =>
      send(of.scope, (api) => api.GET('/account/webhooks/{id}/figures', { params: { path: { id }, query } }), signal),
    refetchInterval: FIGURES_REFRESH_MS,
  })

interface DeliveryFiguresProps {
  endpointId: string
  /** False while the list of deliveries is loaded, which the page shows first. */
  isEnabled: boolean
}

/** How many deliveries of an endpoint succeeded, failed and wait. */
export function DeliveryFigures({ endpointId, isEnabled }: DeliveryFiguresProps) {
  const [interval, setInterval] = useState<Interval>('hour')
  const starts = toStarts(interval, useNow(MINUTE_MS))
  const [since = ''] = starts
  const query = useQuery({ ...deliveryFiguresQuery(useLive(), endpointId, { interval, since }), enabled: isEnabled })
  return (
    <Section title="Figures" actions={<IntervalSelect value={interval} onChange={setInterval} />}>
      <Loaded query={query} failure="The figures could not be loaded.">
        {(figures) => {
          const counts = toDeliveryCounts(starts, figures)
          const toTotal = (name: (typeof FIGURES)[number]['name']) => sum(counts.map(({ [name]: value }) => value ?? 0))
          const total = sum(FIGURES.map(({ name }) => toTotal(name)))
          return (
            <>
              <Figures>
                {FIGURES.map(({ title, name, color }) => (
                  <Figure
                    key={name}
                    title={title}
                    value={toTotal(name).toLocaleString()}
                    detail={
                      total === 0
                        ? 'no deliveries'
                        : `${formatShare(toTotal(name) / total)} of ${total.toLocaleString()} deliveries`
                    }
                    plot={{
                      label: `${title} by ${interval}`,
                      bars: counts.map(({ start, [name]: value }) => ({ label: formatStart(interval, start), value })),
                      color,
                    }}
                  />
                ))}
              </Figures>
              {total > 0 && figures.completeSince > since && (
                <p className="mt-4 text-sm text-muted">
                  Only the newest {total.toLocaleString()} deliveries are counted, since{' '}
                  <Clock time={figures.completeSince} />.
                </p>
              )}
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}
