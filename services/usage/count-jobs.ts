/**
 * Counts of statistics from the events of creations and ends of jobs. Reference: docs/reference/statistics.md#counting.
 */
import type { LogEvent } from '@platen/proto/gen/platen/events/v1/events_pb.ts'
import type { JobJson } from '@platen/resources/print-job-schema.ts'
import { toEndReason } from '@platen/resources/state-reasons.ts'
import { NIL } from 'uuid'
import { addDuration, type Histogram, toDecimal } from './histogram.ts'

/** The event of the creation or the end of a job. */
export interface CountedEvent extends Pick<LogEvent, 'organizationId' | 'mode' | 'createdBy'> {
  /** When the job was created, or ended. */
  at: string
  job: JobJson
}

/** Equal events of an hour, to be added by `add-counts.ts`. */
interface Row {
  organization_id: string
  mode: string
  hour: string
  printer_id: string
  computer_id: string
  key_id: string
  source: string
  /** The final state. Creations are counted in the row of `done`, which nearly all jobs need. */
  state: string
  reason: string
  /** Creations. */
  accepted: number
  /** Ends. */
  jobs: number
  printing: Histogram
  done: Histogram
  /** Ends by what confirmed the print. */
  by_printer: number
  by_spooler: number
  by_nobody: number
}

/** @returns the rows as JSON. */
export function countJobs(events: CountedEvent[]): string {
  const rows = new Map<string, Row>()
  for (const event of events) {
    const row = toRow(event)
    const key = JSON.stringify([
      row.organization_id,
      row.hour,
      row.printer_id,
      row.key_id,
      row.source,
      row.state,
      row.reason,
    ])
    const counted = rows.get(key) ?? row
    rows.set(key, counted)
    if (event.job.finishedAt) addEnd(counted, event.job)
    else counted.accepted++
  }
  return JSON.stringify(
    [...rows.values()].map((row) => ({ ...row, printing: toDecimal(row.printing), done: toDecimal(row.done) })),
  )
}

const toRow = ({ organizationId, mode, createdBy, at, job }: CountedEvent): Row => ({
  organization_id: organizationId,
  mode,
  hour: `${at.slice(0, 13)}:00:00Z`,
  printer_id: job.printerId,
  computer_id: job.computerId,
  key_id: createdBy.startsWith('key:') ? createdBy.slice('key:'.length) : NIL,
  source: job.source,
  state: job.finishedAt ? job.state : 'done',
  // A job can have reasons when it is created, for example that an option is ignored.
  reason: (job.finishedAt && toEndReason(job.state, job.stateReasons)) || '',
  accepted: 0,
  jobs: 0,
  printing: new Map(),
  done: new Map(),
  by_printer: 0,
  by_spooler: 0,
  by_nobody: 0,
})

function addEnd(row: Row, { state, createdAt, printingAt, finishedAt, confirmedBy }: JobJson): void {
  row.jobs++
  if (confirmedBy) row[`by_${confirmedBy}`]++
  const start = Date.parse(createdAt)
  if (printingAt) addDuration(row.printing, Date.parse(printingAt) - start)
  if (state === 'done') addDuration(row.done, Date.parse(finishedAt ?? createdAt) - start)
}
