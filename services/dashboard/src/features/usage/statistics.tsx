/** The prints of the organization by month, day, printer, computer and key. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { JobStatistics, Usage } from '../../api/gen/schema.ts'
import { useLive } from '../../api/live.tsx'
import { BarChart } from '../../ui/bar-chart.tsx'
import { Button } from '../../ui/button.tsx'
import { type CsvColumns, downloadCsv } from '../../ui/download.ts'
import { FilterSelect } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import { Table } from '../../ui/table.tsx'
import { fillIntervals } from './statistics/intervals.ts'
import { liveNamesQuery, liveStatisticsQuery, type StatisticsGroup } from './statistics-queries.ts'

const MONTHS = 12
const FAILURE = 'The statistics could not be loaded.'

const MONTH = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric', timeZone: 'UTC' })
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })

export function Months({ usage: { period } }: { usage: Usage }) {
  const starts = Array.from({ length: MONTHS }, (_, n) => addMonths(period.start, n - MONTHS + 1))
  const query = useQuery(liveStatisticsQuery(useLive(), { interval: 'month', since: starts[0] ?? period.start }))
  return (
    <Section title="Last 12 months">
      <Loaded query={query} failure={FAILURE}>
        {({ items }) => <BarChart label="Prints by month" bars={toBars(starts, items, MONTH)} />}
      </Loaded>
    </Section>
  )
}

export function Days({ usage: { period, prints } }: { usage: Usage }) {
  const query = useQuery(liveStatisticsQuery(useLive(), { interval: 'day', since: period.start }))
  const starts: string[] = []
  for (let day = Date.parse(period.start); day < Date.parse(period.end); day += 24 * 60 * 60 * 1000)
    starts.push(new Date(day).toISOString())
  const line =
    prints.limit === null ? undefined : { label: 'Limit of the plan per day', value: prints.limit / starts.length }
  return (
    <Section title="Days of this month">
      <Loaded query={query} failure={FAILURE}>
        {({ items }) => <BarChart label="Prints by day" bars={toBars(starts, items, DAY)} line={line} />}
      </Loaded>
    </Section>
  )
}

const GROUPS: Record<StatisticsGroup, string> = {
  printer: 'Printer',
  computer: 'Computer',
  key: 'API key',
  source: 'Source',
}

export function Groups({ usage: { period } }: { usage: Usage }) {
  const live = useLive()
  const [group, setGroup] = useState<StatisticsGroup>('printer')
  const query = useQuery(liveStatisticsQuery(live, { interval: 'month', since: period.start, groupBy: group }))
  const { data: names } = useQuery(liveNamesQuery(live, group))
  const toName = ({ value }: JobStatistics) => names?.get(value ?? '') ?? value ?? 'without an API key'
  const entries = (query.data?.items ?? []).toSorted((a, b) => b.accepted - a.accepted)
  return (
    <Section
      title="This month"
      isFlush
      actions={
        <>
          <FilterSelect
            label="Group by"
            value={group}
            onChange={({ target }) => setGroup(target.value as StatisticsGroup)}
          >
            {Object.entries(GROUPS).map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </FilterSelect>
          <Button
            disabled={entries.length === 0}
            onClick={() => downloadCsv(`prints-by-${group}`, toColumns(group, toName), entries)}
          >
            Download CSV
          </Button>
        </>
      }
    >
      <Loaded query={query} failure={FAILURE}>
        {({ hasMore }) => (
          <>
            <Table
              label={`Prints by ${GROUPS[group]}`}
              columns={[
                { label: GROUPS[group] },
                { label: 'Prints', className: 'w-20' },
                { label: 'Printed', className: 'w-20' },
                { label: 'Failed', className: 'w-20' },
              ]}
            >
              {entries.map((entry) => (
                <tr key={entry.value} data-group={entry.value}>
                  <td className="truncate font-medium">
                    {(group === 'printer' || group === 'computer') && entry.value ? (
                      <Link to="/go/$id" params={{ id: entry.value }} preload={false} className="hover:underline">
                        {toName(entry)}
                      </Link>
                    ) : (
                      toName(entry)
                    )}
                  </td>
                  <td>{entry.accepted.toLocaleString()}</td>
                  <td>{entry.done.toLocaleString()}</td>
                  <td>{(entry.error + entry.expired).toLocaleString()}</td>
                </tr>
              ))}
            </Table>
            {entries.length === 0 && <p className="p-4 text-sm text-muted">Nothing was printed in this month.</p>}
            {hasMore && <p className="p-4 text-sm text-muted">These are the first 1,000. The API has all of them.</p>}
          </>
        )}
      </Loaded>
    </Section>
  )
}

function addMonths(start: string, months: number): string {
  const date = new Date(start)
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months)).toISOString()
}

/** Intervals without a job have no entry. */
function toBars(starts: string[], entries: JobStatistics[], format: Intl.DateTimeFormat) {
  return fillIntervals(starts, entries).map(({ start, entry }) => ({
    label: format.format(new Date(start)),
    value: entry?.accepted ?? 0,
  }))
}

/** @returns columns of a CSV file. */
const toColumns = (group: StatisticsGroup, toName: (entry: JobStatistics) => string): CsvColumns<JobStatistics> => ({
  month: ({ start }) => start.slice(0, 7),
  [group]: ({ value }) => value,
  name: toName,
  accepted: ({ accepted }) => accepted,
  done: ({ done }) => done,
  error: ({ error }) => error,
  cancelled: ({ cancelled }) => cancelled,
  expired: ({ expired }) => expired,
})
