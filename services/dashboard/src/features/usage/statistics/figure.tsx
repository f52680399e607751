import type { ReactNode } from 'react'
import { SmallBarChart } from '../../../ui/bar-chart.tsx'
import { FilterSelect } from '../../../ui/field.tsx'
import { formatClock } from '../../../ui/time.tsx'
import type { Interval } from './intervals.ts'

const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** "13:00", or the day of UTC. */
export const formatStart = (interval: Interval, start: string) =>
  interval === 'hour' ? formatClock(start) : DAY.format(new Date(start))

/** "2.5 %" of 0.025. */
export const formatShare = (part: number) => `${(part * 100).toLocaleString(undefined, { maximumFractionDigits: 1 })} %`

export function IntervalSelect({ value, onChange }: { value: Interval; onChange(interval: Interval): void }) {
  return (
    <FilterSelect label="Time" value={value} onChange={({ target }) => onChange(target.value as Interval)}>
      <option value="hour">24 hours</option>
      <option value="day">30 days (UTC)</option>
    </FilterSelect>
  )
}

export const Figures = ({ children }: { children: ReactNode }) => (
  <div className="grid items-start gap-4 sm:grid-cols-3">{children}</div>
)

interface FigureProps {
  title: string
  value: string
  /** What the value means, or is compared with. */
  detail?: string
  plot: Parameters<typeof SmallBarChart>[0]
}

/** A number with its plot. */
export const Figure = ({ title, value, detail, plot }: FigureProps) => (
  <div className="flex min-w-0 flex-col gap-1">
    <p className="text-sm text-muted">{title}</p>
    <p className="text-xl font-semibold">{value}</p>
    {detail && <p className="text-xs text-muted sm:min-h-8">{detail}</p>}
    <SmallBarChart {...plot} />
  </div>
)
