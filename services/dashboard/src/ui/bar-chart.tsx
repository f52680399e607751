import { useId } from 'react'
import { Table } from './table.tsx'

export interface Bar {
  label: string
  /** Null: nothing to show. */
  value: number | null
}

interface PlotProps {
  /** "Prints by day". */
  label: string
  bars: Bar[]
  /** Default: with separators of thousands. */
  format?: (value: number) => string
}

interface BarChartProps extends PlotProps {
  /** A limit of each bar, drawn as a line. */
  line?: { label: string; value: number } | undefined
}

const HEIGHT = 96
const STEP = 16
const GAP = 4

const formatNumber = (value: number) => value.toLocaleString()

const getHighest = (bars: Bar[]) => Math.max(0, ...bars.map(({ value }) => value ?? 0))

/** Columns in the order of time, and a table with the same numbers. */
export function BarChart({ label, bars, line, format = formatNumber }: BarChartProps) {
  const id = useId()
  const [first, last] = [bars[0], bars.at(-1)]
  return (
    <figure aria-labelledby={id} className="flex flex-col gap-1">
      <figcaption id={id} className="flex justify-between gap-2 text-xs text-muted">
        <span>{label}</span>
        <span>highest {format(getHighest(bars))}</span>
      </figcaption>
      <Bars bars={bars} line={line} format={format} className="h-24 border-b text-accent" />
      <div className="flex justify-between text-xs text-muted" aria-hidden>
        <span>{first?.label}</span>
        <span>{last === first ? '' : last?.label}</span>
      </div>
      <Values label={label} bars={bars} format={format} />
    </figure>
  )
}

/**
 * Columns without axes, beside the number that they explain. The table is the same.
 *
 * @param color a class: "text-accent".
 */
export function SmallBarChart({ label, bars, format = formatNumber, color }: PlotProps & { color: string }) {
  return (
    <figure aria-label={label} className="flex flex-col gap-1">
      <Bars bars={bars} format={format} className={`h-8 border-b ${color}`} />
      <Values label={label} bars={bars} format={format} />
    </figure>
  )
}

function Bars({
  bars,
  line,
  format,
  className,
}: Required<Pick<PlotProps, 'bars' | 'format'>> & Pick<BarChartProps, 'line'> & { className: string }) {
  const most = Math.max(line?.value ?? 0, getHighest(bars)) || 1
  const toHeight = (value: number) => (value / most) * HEIGHT
  const width = bars.length * STEP
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={`w-full ${className}`}
      fill="currentColor"
    >
      {bars.map(
        ({ label, value }, index) =>
          value !== null && (
            <rect
              key={label}
              x={index * STEP + GAP / 2}
              y={HEIGHT - toHeight(value)}
              width={STEP - GAP}
              height={toHeight(value)}
            >
              <title>{`${label}: ${format(value)}`}</title>
            </rect>
          ),
      )}
      {line && (
        <path
          d={`M0 ${HEIGHT - toHeight(line.value)}H${width}`}
          className="text-muted"
          stroke="currentColor"
          strokeDasharray="4"
          vectorEffect="non-scaling-stroke"
        >
          <title>{`${line.label}: ${format(line.value)}`}</title>
        </path>
      )}
    </svg>
  )
}

const Values = ({ label, bars, format }: Required<PlotProps>) => (
  <details className="text-sm">
    <summary className="cursor-pointer text-muted">Table</summary>
    <Table label={label} columns={[{ label: 'Time' }, { label: 'Number', className: 'w-20' }]}>
      {bars.map(({ label: name, value }) => (
        <tr key={name}>
          <th scope="row" className="whitespace-normal font-normal">
            {name}
          </th>
          <td>{value === null ? '–' : format(value)}</td>
        </tr>
      ))}
    </Table>
  </details>
)
