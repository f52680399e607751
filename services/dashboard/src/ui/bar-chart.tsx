import { useId } from 'react'
import { Table } from './table.tsx'

export interface Bar {
  label: string
  value: number
}

interface BarChartProps {
  /** "Prints by day". */
  label: string
  bars: Bar[]
  /** Of each bar, drawn as a line. */
  line?: { label: string; value: number } | undefined
}

const HEIGHT = 96
const STEP = 16
const GAP = 4

/** Columns in the order of time, and a table with the same numbers. */
export function BarChart({ label, bars, line }: BarChartProps) {
  const id = useId()
  const most = Math.max(1, line?.value ?? 0, ...bars.map(({ value }) => value))
  const toHeight = (value: number) => (value / most) * HEIGHT
  const width = bars.length * STEP
  const [first, last] = [bars[0], bars.at(-1)]
  return (
    <figure aria-labelledby={id} className="flex flex-col gap-1">
      <figcaption id={id} className="flex justify-between gap-2 text-xs text-muted">
        <span>{label}</span>
        <span>highest {Math.max(0, ...bars.map(({ value }) => value)).toLocaleString()}</span>
      </figcaption>
      <svg
        aria-hidden
        viewBox={`0 0 ${width} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-24 w-full border-b text-accent"
        fill="currentColor"
      >
        {bars.map(({ label: name, value }, index) => (
          <rect
            key={name}
            x={index * STEP + GAP / 2}
            y={HEIGHT - toHeight(value)}
            width={STEP - GAP}
            height={toHeight(value)}
          >
            <title>{`${name}: ${value.toLocaleString()}`}</title>
          </rect>
        ))}
        {line && (
          <path
            d={`M0 ${HEIGHT - toHeight(line.value)}H${width}`}
            className="text-muted"
            stroke="currentColor"
            strokeDasharray="4"
            vectorEffect="non-scaling-stroke"
          >
            <title>{`${line.label}: ${line.value.toLocaleString()}`}</title>
          </path>
        )}
      </svg>
      <div className="flex justify-between text-xs text-muted" aria-hidden>
        <span>{first?.label}</span>
        <span>{last === first ? '' : last?.label}</span>
      </div>
      <details className="text-sm">
        <summary className="cursor-pointer text-muted">Table</summary>
        <Table label={label} columns={[{ label: 'Time' }, { label: 'Number', className: 'w-32' }]}>
          {bars.map(({ label: name, value }) => (
            <tr key={name}>
              <th scope="row" className="font-normal">
                {name}
              </th>
              <td>{value.toLocaleString()}</td>
            </tr>
          ))}
        </Table>
      </details>
    </figure>
  )
}
