/** Invariants of events outside of the tables of jobs: in the event logs of their services, and in the feed. */
import { type Facts, isResend, type Problems } from './facts.ts'
import type { EventRow } from './history.ts'

export function* checkPublication({ jobs, history }: Facts): Problems {
  const { log } = history.database
  const logged = Map.groupBy(log, ({ id }) => id)
  const expected = new Set<string>()
  for (const { row, events } of jobs.values()) {
    const { organizationId, mode } = row
    for (const [index, { id, state, sequence, createdAtMs }] of events.entries()) {
      if (isResend(events, index)) continue
      expected.add(id)
      const facts = { type: `printjob.${state}`, resourceId: row.id, organizationId, mode, sequence }
      const [entry, ...others] = logged.get(id) ?? []
      if (!entry || others.length > 0)
        yield [id, `The log has the event "${state}" of the job ${row.id} ${others.length + (entry ? 1 : 0)} times.`]
      else if (differs(entry, { ...facts, occurredAtMs: createdAtMs }))
        yield [id, `The log has the event "${state}" of the job ${row.id} with other facts.`]
    }
  }
  for (const { id, type } of log)
    if (type.startsWith('printjob.') && !expected.has(id)) yield [id, `The log has a "${type}" that no job has.`]
  yield* orderProblems(log)
}

/** The logs are in the order in which consumers read them. */
function* orderProblems(log: EventRow[]): Problems {
  const latest = new Map<string, number>()
  for (const { type, resourceId, sequence } of log) {
    // A computer and a printer never share an id.
    const before = latest.get(resourceId) ?? 0
    if (sequence <= before) yield [resourceId, `The log has the event "${type}" ${sequence} after event ${before}.`]
    latest.set(resourceId, sequence)
  }
}

export function* checkFeed({ history }: Facts): Problems {
  const { feed, log } = history.database
  const listed = Map.groupBy(feed, ({ id }) => id)
  for (const { log: _, ...event } of log) {
    const { id, type, resourceId } = event
    const [entry, ...others] = listed.get(id) ?? []
    if (!entry || others.length > 0)
      yield [id, `The feed has the event "${type}" of ${resourceId} ${others.length + (entry ? 1 : 0)} times.`]
    else if (differs(entry, event)) yield [id, `The feed has the event "${type}" of ${resourceId} with other bytes.`]
  }
  const logged = new Set(log.map(({ id }) => id))
  for (const { id, type } of feed) if (!logged.has(id)) yield [id, `The feed has a "${type}" that no log has.`]
}

const differs = (event: EventRow, facts: Partial<EventRow>) =>
  Object.entries(facts).some(([name, value]) => event[name as keyof EventRow] !== value)
