import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Overview } from '../../api/gen/schema.ts'
import { useLive } from '../../api/live.tsx'
import { Button } from '../../ui/button.tsx'
import { RowDetails } from '../../ui/row-details.tsx'
import { Section } from '../../ui/section.tsx'
import { Table } from '../../ui/table.tsx'
import { formatClock } from '../../ui/time.tsx'
import { addEnds, describeShares, type Segment } from './segments.ts'

type Strip = NonNullable<Overview['strip']>
type State = Segment['state']

/** The height repeats the color. */
const STATES: Record<State, { color: string; height: number; meaning: string }> = {
  online: { color: 'text-ok', height: 20, meaning: 'online' },
  stopped: { color: 'text-warn', height: 14, meaning: 'stopped: disabled, or it needs attention' },
  offline: { color: 'text-error', height: 8, meaning: 'offline' },
  unknown: { color: 'text-field', height: 3, meaning: 'unknown: its computer was offline, or nothing is stored' },
}

const HEIGHT = 20
const WIDTH = 1_440
const SHOWN = 10

const formatEnd = (end: string, until: string) => (end === until ? 'now' : formatClock(end))

/** The last 24 hours of each printer, as status pages show them. */
export function PrinterStrip({ strip, until }: { strip: Strip; until: string }) {
  const { mode } = useLive()
  const [isComplete, setIsComplete] = useState(false)
  const [isTableOpen, setIsTableOpen] = useState(false)
  const printers = strip.printers.map((printer) => ({ ...printer, segments: addEnds(printer.segments, until) }))
  const shown = isComplete ? printers : printers.slice(0, SHOWN)
  return (
    <Section title="Printers in the last 24 hours">
      <figure aria-label="Printers in the last 24 hours" className="flex flex-col gap-3">
        <ul className="grid gap-2">
          {shown.map(({ id, name, computerName, segments }) => (
            <li key={id} className="grid items-center gap-x-3 sm:grid-cols-[minmax(0,14rem)_1fr]">
              <Link
                to="/$mode/printers/$printerId"
                params={{ mode, printerId: id }}
                className="truncate text-sm hover:underline"
                title={`${name} at ${computerName}`}
              >
                {name}
              </Link>
              <Bar segments={segments} start={strip.start} until={until} />
            </li>
          ))}
        </ul>
        <div className="flex flex-wrap items-center justify-between gap-2 text-xs text-muted">
          <span className="flex flex-wrap gap-x-4">
            {Object.values(STATES).map(({ color, height, meaning }) => (
              <span key={meaning} className="inline-flex items-center gap-1.5">
                <svg aria-hidden viewBox={`0 0 8 ${HEIGHT}`} className={`h-3 w-2 ${color}`} fill="currentColor">
                  <rect y={HEIGHT - height} width="8" height={height} />
                </svg>
                {meaning}
              </span>
            ))}
          </span>
          {shown.length < printers.length ? (
            <Button onClick={() => setIsComplete(true)}>Show {printers.length - shown.length} more</Button>
          ) : (
            strip.hasMore && <span>Only {printers.length} printers are shown, those with trouble first.</span>
          )}
        </div>
        <details className="text-sm" onToggle={(event) => setIsTableOpen(event.currentTarget.open)}>
          <summary className="cursor-pointer text-muted">Table</summary>
          {isTableOpen && (
            <Table
              label="Printers in the last 24 hours"
              columns={[
                { label: 'Printer' },
                { label: 'State', className: 'w-20' },
                { label: 'From', className: 'w-28' },
                { label: 'To', className: 'hidden w-28 sm:table-cell' },
              ]}
            >
              {shown.flatMap(({ id, name, segments }) =>
                segments.map(({ state, start, end }) => (
                  <tr key={`${id} ${start}`}>
                    <th scope="row" className="font-normal">
                      {name}
                      <RowDetails parts={[`to ${formatEnd(end, until)}`]} />
                    </th>
                    <td>{state}</td>
                    <td>{formatClock(start)}</td>
                    <td className="hidden sm:table-cell">{formatEnd(end, until)}</td>
                  </tr>
                )),
              )}
            </Table>
          )}
        </details>
      </figure>
    </Section>
  )
}

function Bar({ segments, start, until }: { segments: Segment[]; start: string; until: string }) {
  const [from, to] = [Date.parse(start), Date.parse(until)]
  const toX = (time: string) => ((Date.parse(time) - from) / (to - from)) * WIDTH
  return (
    <svg
      role="img"
      aria-label={describeShares(segments)}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-5 w-full bg-raised"
      fill="currentColor"
    >
      {segments.map(({ state, start, end }) => (
        <rect
          key={start}
          x={toX(start)}
          width={toX(end) - toX(start)}
          y={HEIGHT - STATES[state].height}
          height={STATES[state].height}
          className={STATES[state].color}
        >
          <title>{`${state}, ${formatClock(start)} to ${formatEnd(end, until)}`}</title>
        </rect>
      ))}
    </svg>
  )
}
