/**
 * An example of each type of event: what `GET /v1/event-types` shows, and what test deliveries carry. Ids and times are
 * those of the story of `example-of.ts`.
 */
import { COMPUTER, type ComputerJson } from './computer-schema.ts'
import type { EventJson } from './event-schema.ts'
import type { EventType } from './event-types.ts'
import { createExample, EXAMPLE_IDS } from './example-of.ts'
import { JOB, type JobJson } from './print-job-schema.ts'
import { PRINTER, type PrinterJson } from './printer-schema.ts'

const printJob = createExample(JOB)
const computer = createExample(COMPUTER)
const printer = createExample(PRINTER)

const ENDED_AT = '2026-03-02T09:30:06.902Z'

type JobExample = JobJson & { at: string; sequence: number }
type Change<Resource> = { at: string; sequence: number; changed?: Partial<Resource> }

const queued: JobExample = { ...printJob, at: printJob.createdAt, sequence: 1 }
const sent = step(queued, 'sent', '2026-03-02T09:30:00.180Z', 'sentAt')
const received = step(sent, 'received', '2026-03-02T09:30:00.342Z', 'receivedAt')
const printing = step(received, 'printing', '2026-03-02T09:30:00.518Z', 'printingAt')

const JOBS: Record<JobJson['state'], JobExample> = {
  queued,
  sent,
  received,
  printing,
  done: step(printing, 'done', ENDED_AT, 'finishedAt'),
  error: {
    ...step(printing, 'error', ENDED_AT, 'finishedAt'),
    stateMessage: 'The spooler gave the job up.',
    stateReasons: ['job-aborted-by-system'],
  },
  cancelled: step(queued, 'cancelled', '2026-03-02T09:31:12.044Z', 'finishedAt'),
  expired: step(queued, 'expired', '2026-03-03T09:30:00.250Z', 'finishedAt'),
}

function step(
  job: JobExample,
  state: JobJson['state'],
  at: string,
  time: 'sentAt' | 'receivedAt' | 'printingAt' | 'finishedAt',
): JobExample {
  return { ...job, state, [time]: at, at, sequence: job.sequence + 1 }
}

const COMPUTERS: Record<ComputerJson['state'], Change<ComputerJson>> = {
  online: { at: '2026-03-02T08:15:40.120Z', sequence: 1, changed: { lastSeenAt: '2026-03-02T08:15:40.120Z' } },
  offline: {
    at: '2026-03-02T18:02:33.617Z',
    sequence: 2,
    changed: { state: 'offline', lastSeenAt: '2026-03-02T18:02:03.590Z' },
  },
}

const PRINTERS: Record<string, Change<PrinterJson>> = {
  added: { at: printer.createdAt, sequence: 1, changed: { remarks: null, customPapers: [], defaultOptions: {} } },
  updated: { at: printer.updatedAt, sequence: 2 },
  offline: {
    at: '2026-03-02T11:20:05.731Z',
    sequence: 3,
    changed: { state: 'offline', stateDetail: 'The printer was stopped.', stateReasons: ['printer-stopped', 'paused'] },
  },
  online: { at: '2026-03-02T11:24:18.092Z', sequence: 4 },
  removed: { at: '2026-03-02T17:40:00.355Z', sequence: 5 },
}

export function exampleEvent(type: EventType, mode: EventJson['mode']): EventJson {
  const [kind, what] = type.split('.') as [string, string]
  const { at, sequence, data } = createKindExample(kind, what, mode)
  return { id: EXAMPLE_IDS.event, type, timestamp: at, mode, sequence, data }
}

function createKindExample(kind: string, what: string, mode: EventJson['mode']) {
  if (kind === 'printjob') {
    const { at, sequence, ...job } = JOBS[what as JobJson['state']]
    return { at, sequence, data: { ...job, mode } }
  }
  if (kind === 'computer') {
    const { at, sequence, changed } = COMPUTERS[what as ComputerJson['state']]
    return { at, sequence, data: { ...computer, mode, ...changed } }
  }
  const change = PRINTERS[what]
  if (!change) throw new Error(`there is no example of ${kind}.${what}`)
  const { capabilities, ...shown } = printer
  return {
    at: change.at,
    sequence: change.sequence,
    data: { ...shown, updatedAt: change.at, ...change.changed },
  }
}
