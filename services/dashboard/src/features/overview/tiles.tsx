import type { ComponentProps } from 'react'
import type { Overview } from '../../api/gen/schema.ts'
import { formatClock, formatSeconds } from '../../ui/time.tsx'
import { Figure, formatShare } from '../usage/statistics/figure.tsx'
import { countToday, getPlotted } from './figures.ts'

interface TilesProps {
  figures: NonNullable<Overview['figures']>
  waiting: Overview['waiting']
  at: string
}

const WEEKDAY = new Intl.DateTimeFormat(undefined, { weekday: 'long' })
const SHORT = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hour12: false })

/** Four figures with their last 24 hours. */
export function Tiles({ figures, waiting, at }: TilesProps) {
  const { printed, failed, weekBefore } = countToday(figures, new Date(at))
  const hours = getPlotted(figures)
  const plot = (toValue: (hour: (typeof hours)[number]) => number | null) =>
    hours.map((hour) => ({ label: formatClock(hour.start), value: toValue(hour) }))
  const ended = printed + failed
  return (
    <section aria-label="Figures" className="grid grid-cols-2 items-start gap-3 sm:gap-4 xl:grid-cols-4">
      <Tile
        title="Printed today"
        value={printed.toLocaleString()}
        detail={`last ${WEEKDAY.format(weekBefore.until)} until ${SHORT.format(weekBefore.until)}: ${weekBefore.printed.toLocaleString()}`}
        plot={{ label: 'Printed by hour', bars: plot((hour) => hour.printed), color: 'text-accent' }}
      />
      <Tile
        title="Failed today"
        value={failed.toLocaleString()}
        detail={ended === 0 ? 'No job has ended today' : `${formatShare(failed / ended)} of the jobs that ended today`}
        plot={{ label: 'Failed by hour', bars: plot((hour) => hour.failed), color: 'text-error' }}
      />
      <Tile
        title="Waiting or printing"
        value={waiting ? `${waiting.jobs.toLocaleString()}${waiting.isMinimum ? '+' : ''}` : '–'}
        detail={`highest at the end of an hour: ${Math.max(0, ...hours.map((hour) => hour.waiting ?? 0)).toLocaleString()}`}
        plot={{
          label: 'Waiting or printing at the end of the hour',
          bars: plot((hour) => hour.waiting),
          color: 'text-muted',
        }}
      />
      <Tile
        title="Time to paper"
        value={figures.secondsToDone === null ? '–' : formatSeconds(figures.secondsToDone)}
        detail={
          figures.secondsToDone === null
            ? 'Nothing was printed in the last 24 hours'
            : 'for 95 % of the prints of the last 24 hours'
        }
        plot={{
          label: 'Time to paper by hour, of 95 %',
          bars: plot((hour) => hour.secondsToDone),
          format: formatSeconds,
          color: 'text-accent',
        }}
      />
    </section>
  )
}

const Tile = (figure: ComponentProps<typeof Figure>) => (
  <div className="panel p-3 sm:p-4">
    <Figure {...figure} />
  </div>
)
