import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '../../../api/client.ts'
import { useLive } from '../../../api/live.tsx'
import { type Of, PAGE_SIZE } from '../../../api/queries.ts'
import { Loaded } from '../../../ui/loaded.tsx'
import { Section } from '../../../ui/section.tsx'
import { formatSeconds, useNow } from '../../../ui/time.tsx'
import { Figure, Figures, formatShare, formatStart, IntervalSelect } from './figure.tsx'
import { FIGURES_REFRESH_MS, fillIntervals, type Interval, sum, toStarts } from './intervals.ts'

const MINUTE_MS = 60_000

interface DeviceFilters {
  interval: Interval
  since: string
  printerId?: string
  computerId?: string
}

/** In one page. */
const jobStatisticsQuery = ({ key, scope }: Of, filters: DeviceFilters) =>
  queryOptions({
    queryKey: [...key, 'statistics', filters],
    queryFn: ({ signal }) =>
      send(scope, (api) => api.GET('/v1/statistics', { params: { query: { ...filters, limit: PAGE_SIZE } } }), signal),
    refetchInterval: FIGURES_REFRESH_MS,
  })

/** Printed and failed jobs, and the time to paper, of one printer or computer. */
export function JobFigures({ device }: { device: { printerId: string } | { computerId: string } }) {
  const [interval, setInterval] = useState<Interval>('hour')
  const starts = toStarts(interval, useNow(MINUTE_MS))
  const query = useQuery(jobStatisticsQuery(useLive(), { interval, since: starts[0] ?? '', ...device }))
  return (
    <Section title="Figures" actions={<IntervalSelect value={interval} onChange={setInterval} />}>
      <Loaded query={query} failure="The figures could not be loaded.">
        {({ data }) => {
          const intervals = fillIntervals(starts, data).map(({ start, entry }) => ({
            label: formatStart(interval, start),
            printed: entry?.done ?? 0,
            failed: entry ? entry.error + entry.expired : 0,
            toPaper: entry?.secondsToDone?.p95 ?? null,
          }))
          const plot = (label: string, name: 'printed' | 'failed' | 'toPaper', color: string) => ({
            label: `${label} by ${interval}`,
            bars: intervals.map(({ label, [name]: value }) => ({ label, value })),
            color,
          })
          const printed = sum(intervals.map(({ printed }) => printed))
          const failed = sum(intervals.map(({ failed }) => failed))
          const confirmed = sum(data.map(({ confirmedBy }) => confirmedBy.printer))
          const latest = intervals.findLast(({ toPaper }) => toPaper !== null)?.toPaper ?? null
          return (
            <Figures>
              <Figure
                title="Printed"
                value={printed.toLocaleString()}
                detail={`in the last ${interval === 'hour' ? '24 hours' : '30 days'}${
                  confirmed === 0 ? '' : `, ${formatShare(confirmed / printed)} confirmed by the printer itself`
                }`}
                plot={plot('Printed', 'printed', 'text-accent')}
              />
              <Figure
                title="Failed"
                value={failed.toLocaleString()}
                detail={
                  printed + failed === 0
                    ? 'no job has ended'
                    : `${formatShare(failed / (printed + failed))} of the jobs that ended`
                }
                plot={plot('Failed', 'failed', 'text-error')}
              />
              <Figure
                title="Time to paper"
                value={latest === null ? '–' : formatSeconds(latest)}
                detail={latest === null ? 'no print' : `for 95 % of the prints of the latest ${interval}`}
                plot={{ ...plot('Time to paper of 95 %', 'toPaper', 'text-accent'), format: formatSeconds }}
              />
            </Figures>
          )
        }}
      </Loaded>
    </Section>
  )
}
