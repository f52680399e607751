/** Renders a job as text. Shows titles, which every user of the database can read, but no documents and keys. */
import type { JournaledJob } from './agent-journal.ts'
import type { InspectedJob } from './job.ts'

export function render(
  { job, events, logged, printer, computer }: InspectedJob,
  journal: JournaledJob | undefined,
): string {
  const facts: [string, unknown][] = [
    ['job', job.id],
    ['state', [job.state, ...job.state_reasons].join(', ')],
    ['message', job.state_message],
    ['title', job.title],
    [
      'content',
      `${job.content_type}, ${job.file_sha256 ? `${job.file_size_bytes} bytes, sha256 ${job.file_sha256}` : 'no document'}`,
    ],
    ['document', job.has_inline_document ? 'in the database' : job.storage_key],
    ['organization', `${job.organization_id} (${job.mode})`],
    [
      'printer',
      printer ? `${printer.display_name} (${printer.id}, ${printer.enabled ? 'enabled' : 'disabled'})` : job.printer_id,
    ],
    [
      'computer',
      computer ? `${computer.name} (${computer.id}, ${computer.state}, epoch ${computer.epoch})` : job.computer_id,
    ],
    [
      'sent',
      `${job.attempt} times, ${job.resend_count} resends in this round, last ${time(job.pushed_at)}${job.push_due ? ', due again' : ''}`,
    ],
    ['expires', time(job.expires_at)],
    ['trace', /^00-([0-9a-f]{32})/.exec(job.traceparent)?.[1]],
  ]
  return [
    ...facts.map(([name, value]) => line(name, value)),
    '',
    'events',
    ...events.map((event, n) => eventLine(event, events[n - 1])),
    '',
    'event log',
    ...(logged.length > 0 ? logged.map(loggedLine) : ['  no entries left']),
    '',
    'agent journal',
    ...(journal ? journalLines(journal) : ['  not on this machine, or without this job']),
  ].join('\n')
}

const line = (name: string, value: unknown) => `${name.padEnd(13)} ${value ?? '-'}`

const time = (date: Date | number | null) => (date === null ? '-' : new Date(date).toISOString())

function eventLine(event: InspectedJob['events'][number], before: InspectedJob['events'][number] | undefined): string {
  const after = before ? `+${event.created_at.getTime() - before.created_at.getTime()} ms` : ''
  const { sequence, state, actor, message } = event
  return `  ${String(sequence).padStart(2)}  ${time(event.created_at)}  ${after.padStart(10)}  ${state.padEnd(9)}  ${actor.padEnd(6)}  ${message ?? ''}`.trimEnd()
}

function loggedLine({ commit_seq, number, type, read_by }: InspectedJob['logged'][number]): string {
  return `  ${`${commit_seq}.${number}`.padEnd(15)}  ${type.padEnd(18)}  ${read_by.length > 0 ? `read by ${read_by.join(', ')}` : 'not read yet'}`
}

function journalLines(journal: JournaledJob): string[] {
  const { phase, attempt, spooler_job_id, outcome_message, updated_at, settled_at, unconfirmedReports } = journal
  return [
    `  ${phase} since ${time(updated_at)}, attempt ${attempt}, ${settled_at ? `settled ${time(settled_at)}` : 'not settled'}`,
    `  spooler id ${spooler_job_id ?? '-'}${outcome_message ? `; ${outcome_message}` : ''}`,
    ...unconfirmedReports.map((state) => `  report not confirmed yet: ${state}`),
  ]
}
