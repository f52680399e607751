import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLive } from '../api/live.tsx'
import { jobStatisticsQuery } from '../api/statistics-queries.ts'
import { Loaded } from '../ui/loaded.tsx'
import { Section } from '../ui/section.tsx'
import { formatSeconds, useNow } from '../ui/time.tsx'
import { Figure, Figures, formatStart, IntervalSelect } from './figure.tsx'
import { fillIntervals, type Interval, sum, toStarts } from './intervals.ts'

const MINUTE_MS = 60_000

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
          const latest = intervals.findLast(({ toPaper }) => toPaper !== null)?.toPaper ?? null
          return (
            <Figures>
              <Figure
                title="Printed"
                value={sum(intervals.map(({ printed }) => printed)).toLocaleString()}
                plot={plot('Printed', 'printed', 'text-accent')}
              />
              <Figure
                title="Failed"
                value={sum(intervals.map(({ failed }) => failed)).toLocaleString()}
                plot={plot('Failed', 'failed', 'text-error')}
              />
              <Figure
                title={`Time to paper of 95 %, last ${interval} with a print`}
                value={latest === null ? '–' : formatSeconds(latest)}
                plot={{ ...plot('Time to paper of 95 %', 'toPaper', 'text-accent'), format: formatSeconds }}
              />
            </Figures>
          )
        }}
      </Loaded>
    </Section>
  )
}
