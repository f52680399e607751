/**
 * Renders a job as text: the conclusion, the cause and the next steps first. Shows titles, which every user of the
 * database can read, but no documents and keys.
 */
import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { Printer } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { timestampToJson } from '@platen/resources/timestamp-to-json.ts'
import type { JournaledJob } from './agent-journal.ts'
import type { InspectedJob } from './job.ts'

type InspectedEvent = InspectedJob['events'][number]

export function render(inspected: InspectedJob, journal: JournaledJob | undefined): string {
  const { job, details, events, printer, computer, storageKey, hasInlineDocument, explanation } = inspected
  const { attempt, traceparent } = details
  const facts: [string, unknown][] = [
    ['job', job.id],
    ['state', [job.state, ...(job.stateReasons ?? [])].join(', ')],
    ['message', job.stateMessage],
    ['title', job.title],
    [
      'content',
      `${job.contentType}, ${job.fileSha256 ? `${job.fileSize} bytes, sha256 ${job.fileSha256}` : 'no document'}`,
    ],
    ['document', hasInlineDocument ? 'in the database' : storageKey],
    ['organization', `${job.organizationId} (${job.mode})`],
    ['printer', printer ? `${printer.displayName} (${printer.id}, ${printerState(printer)})` : job.printerId],
    ['computer', computer ? `${computer.name} (${computer.id}, ${computer.state})` : job.computerId],
    ['sent', `${attempt} times`],
    ['expires', timestampToJson(job.expiresAt)],
    ['trace', /^00-([0-9a-f]{32})/.exec(traceparent)?.[1]],
  ]
  return [
    explanation.headline,
    explanation.cause,
    ...explanation.actions.map(({ text }) => `- ${text}`),
    '',
    line('explanation', `${explanation.code}, paper: ${explanation.paper}`),
    ...facts.map(([name, value]) => line(name, value)),
    '',
    'events',
    ...events.map((event, n) => eventLine(event, n + 1, events[n - 1])),
    '',
    'agent journal',
    ...(journal ? journalLines(journal) : ['  not on this machine, or without this job']),
  ].join('\n')
}

const printerState = ({ enabled, state, stateReasons }: Printer) =>
  [enabled ? 'enabled' : 'disabled', state, ...stateReasons].join(', ')

const line = (name: string, value: unknown) => `${name.padEnd(13)} ${value || '-'}`

function eventLine(event: InspectedEvent, number: number, before: InspectedEvent | undefined): string {
  const after = before ? `+${toMs(event) - toMs(before)} ms` : ''
  const { state, actor, message, createdAt, isInFeed } = event
  const feed = isInFeed ? 'in the feed' : 'not in the feed'
  return `  ${String(number).padStart(2)}  ${timestampToJson(createdAt)}  ${after.padStart(10)}  ${state.padEnd(9)}  ${actor.padEnd(6)}  ${feed}  ${message ?? ''}`.trimEnd()
}

const toMs = ({ createdAt }: InspectedEvent) => (createdAt ? timestampMs(createdAt) : 0)

const time = (ms: number | null) => (ms === null ? '-' : new Date(ms).toISOString())

function journalLines(journal: JournaledJob): string[] {
  const { phase, attempt, spooler_job_id, outcome_message, updated_at, settled_at, unconfirmedReports } = journal
  return [
    `  ${phase} since ${time(updated_at)}, attempt ${attempt}, ${settled_at ? `settled ${time(settled_at)}` : 'not settled'}`,
    `  spooler id ${spooler_job_id ?? '-'}${outcome_message ? `; ${outcome_message}` : ''}`,
    ...unconfirmedReports.map((state) => `  report not confirmed yet: ${state}`),
  ]
}
