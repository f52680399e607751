/** When incidents begin, change and end. */
import type { AlertKindName } from '@platen/resources/alert-kinds.ts'
import { expect, test } from 'vitest'
import { evaluate, type Situation } from '../../alerts/evaluate.ts'
import type { EndedJob, Incident, Problem, Rule } from '../../alerts/incident.ts'

const NOW = new Date('2026-01-02T12:00:00Z')
const MINUTE_MS = 60_000
const at = (minutes: number, seconds = 0) => new Date(NOW.getTime() + minutes * MINUTE_MS + seconds * 1000)

const TENANT = { organizationId: 'organization', mode: 'live' }
const FACTS = { computer: 'Front desk', printer: 'Laser', detail: '', jobs: 0 }

const rule = (kind: AlertKindName, changes: Partial<Rule> = {}): Rule => ({
  ...{ ...TENANT, id: 'rule', userId: 'ann', kind, computerId: null, printerId: null },
  ...{ afterMinutes: 0, problemsSince: null, ...changes },
})
const problem = (kind: AlertKindName, changes: Partial<Problem> = {}): Problem => ({
  ...{ ...TENANT, kind, resourceId: 'printer', computerId: 'computer', jobId: null, since: null, facts: FACTS },
  ...changes,
})
const job = (isFailed: boolean, jobId = 'job'): EndedJob => ({
  ...{ ...TENANT, kind: 'job_failed', resourceId: 'printer', computerId: 'computer', jobId, isFailed, at: at(-1) },
})

const run = (situation: Partial<Situation>) =>
  evaluate({ now: NOW, problems: [], endedJobs: [], rules: [], incidents: [], missing: new Set(), ...situation })

/** The incident that a situation has begun. */
function begin(situation: Partial<Situation>, changes: Partial<Incident> = {}): Incident {
  const [incident] = run(situation).stored
  if (!incident) throw new Error('no incident has begun')
  return { ...incident, ...changes }
}
const notified = { dueAt: null, notifiedAt: NOW }

const ATTENTION = { rules: [rule('printer_attention')], problems: [problem('printer_attention')] }

test.each<[name: string, rules: Rule[], found: Problem, users: string[]]>([
  ['of all devices', [rule('printer_attention')], problem('printer_attention'), ['ann']],
  ['of its printer', [rule('printer_attention', { printerId: 'printer' })], problem('printer_attention'), ['ann']],
  ['of another printer', [rule('printer_attention', { printerId: 'other' })], problem('printer_attention'), []],
  ['of its computer', [rule('printer_attention', { computerId: 'computer' })], problem('printer_attention'), ['ann']],
  ['of another computer', [rule('printer_attention', { computerId: 'other' })], problem('printer_attention'), []],
  ['of another kind', [rule('printer_offline')], problem('printer_attention'), []],
  ['of another mode', [rule('printer_attention', { mode: 'test' })], problem('printer_attention'), []],
  [
    'of another organization',
    [rule('printer_attention', { organizationId: 'other' })],
    problem('printer_attention'),
    [],
  ],
  [
    'of two members',
    [
      rule('printer_attention'),
      rule('printer_attention', { userId: 'bob' }),
      rule('printer_attention', { printerId: 'printer' }),
    ],
    problem('printer_attention'),
    ['ann', 'bob'],
  ],
])('a rule %s selects the members who have an incident', (_, rules, found, users) => {
  expect(run({ rules, problems: [found] }).stored.map(({ userId }) => userId)).toEqual(users)
})

test('a mail is due when the shortest duration has passed since the begin, and 30 seconds later', () => {
  const rules = [rule('computer_offline', { afterMinutes: 30 }), rule('computer_offline', { afterMinutes: 10 })]
  const offline = problem('computer_offline', { since: at(-5) })
  const incident = begin({ rules, problems: [offline] })
  expect(incident).toMatchObject({ since: at(-5), dueAt: at(5, 30), notifiedAt: null, solvedAt: null })
  expect(run({ rules, problems: [offline], incidents: [incident] })).toEqual({ stored: [], discarded: [] })
  const changed = run({ rules: rules.slice(0, 1), problems: [offline], incidents: [incident] })
  expect(changed.stored).toEqual([{ ...incident, dueAt: at(25, 30) }])
})

test('a problem without a begin begins when it is first found', () => {
  const rules = [rule('printer_offline', { afterMinutes: 10 })]
  const problems = [problem('printer_offline')]
  const incident = begin({ rules, problems })
  expect(incident).toMatchObject({ since: NOW, dueAt: at(10, 30) })
  expect(run({ now: at(5), rules, problems, incidents: [incident] }).stored).toEqual([])
})

test('a rule reports no problem that began before its limit', () => {
  const rules = [rule('computer_offline', { afterMinutes: 30, problemsSince: at(-60) })]
  const since = (minutes: number) => [problem('computer_offline', { since: at(minutes) })]
  expect(run({ rules, problems: since(-61) }).stored).toEqual([])
  expect(run({ rules, problems: since(-60) }).stored).toHaveLength(1)
})

test('a job waits too long from the end of the duration on; a younger oldest job ends the incident', () => {
  const rules = [rule('job_waiting', { afterMinutes: 15 })]
  const oldest = (minutes: number, jobId = 'job') => [problem('job_waiting', { jobId, since: at(minutes) })]
  expect(run({ rules, problems: oldest(-14) }).stored).toEqual([])
  const incident = begin({ rules, problems: oldest(-15) })
  expect(incident).toMatchObject({ jobId: 'job', dueAt: at(0, 30) })
  const next = run({ rules, problems: oldest(-15, 'next'), incidents: [incident] })
  expect(next.stored).toMatchObject([{ id: incident.id, jobId: 'next' }])
  const shown = { ...incident, ...notified }
  expect(run({ rules, problems: oldest(-15, 'next'), incidents: [shown] }).stored).toEqual([])
  expect(run({ rules, problems: oldest(-14, 'next'), incidents: [shown] }).stored).toEqual([
    { ...shown, solvedAt: NOW, dueAt: at(0, 30) },
  ])
})

test('the end of a problem has a mail only if its begin had one', () => {
  const { rules } = ATTENTION
  const incident = begin(ATTENTION)
  expect(run({ rules, incidents: [incident] })).toEqual({ stored: [], discarded: [incident.id] })
  const shown = { ...incident, ...notified }
  const [solved] = run({ rules, incidents: [shown] }).stored
  expect(solved).toEqual({ ...shown, solvedAt: NOW, dueAt: at(0, 30) })
  if (solved) expect(run({ now: at(1), rules, incidents: [solved] })).toEqual({ stored: [], discarded: [] })
})

test('a problem that returns before the mail about its end continues without a mail', () => {
  const solved = begin(ATTENTION, { notifiedAt: at(-5), solvedAt: at(-1), dueAt: at(0, 30) })
  expect(run({ ...ATTENTION, incidents: [solved] }).stored).toEqual([{ ...solved, solvedAt: null, dueAt: null }])
})

test.each<[name: string, situation: Partial<Situation>]>([
  ['its rule is deleted', { ...ATTENTION, rules: [] }],
  ['its printer is removed', { rules: ATTENTION.rules, missing: new Set(['printer']) }],
  ['its computer is deleted', { rules: ATTENTION.rules, missing: new Set(['computer']) }],
])('an incident is discarded without a mail when %s', (_, situation) => {
  const incident = begin(ATTENTION, notified)
  expect(run({ ...situation, incidents: [incident] })).toEqual({ stored: [], discarded: [incident.id] })
})

test('facts that change before the mail are those of the mail, and later ones have none', () => {
  const incident = begin(ATTENTION)
  const problems = [problem('printer_attention', { facts: { ...FACTS, detail: 'Cover open' } })]
  const [changed] = run({ ...ATTENTION, problems, incidents: [incident] }).stored
  expect(changed?.facts.detail).toBe('Cover open')
  expect(run({ ...ATTENTION, problems, incidents: [{ ...incident, ...notified }] }).stored).toEqual([])
})

test('failed jobs of a printer are counted until the mail, which later ones do not repeat', () => {
  const rules = [rule('job_failed')]
  const incident = begin({ rules, endedJobs: [job(true, 'first'), job(true, 'second')] })
  expect(incident).toMatchObject({ jobId: 'second', since: at(-1), dueAt: at(0, 30), facts: { jobs: 2 } })
  expect(run({ rules, incidents: [incident] })).toEqual({ stored: [], discarded: [] })
  expect(run({ rules, endedJobs: [job(true)], incidents: [incident] }).stored).toMatchObject([{ facts: { jobs: 3 } }])
  const shown = { ...incident, ...notified }
  expect(run({ rules, endedJobs: [job(true)], incidents: [shown] })).toEqual({ stored: [], discarded: [] })
})

test('a printed job ends the failures of its printer; a failed job has a mail also then', () => {
  const rules = [rule('job_failed')]
  const incident = begin({ rules, endedJobs: [job(true), job(false)] })
  expect(incident).toMatchObject({ solvedAt: NOW, dueAt: at(0, 30), notifiedAt: null })
  const shown = { ...incident, ...notified, solvedAt: null }
  const [solved] = run({ rules, endedJobs: [job(false)], incidents: [shown] }).stored
  expect(solved).toEqual({ ...shown, solvedAt: NOW, dueAt: at(0, 30) })
  if (solved) expect(run({ rules, endedJobs: [job(true)], incidents: [solved] }).stored).toEqual([shown])
  expect(run({ rules, endedJobs: [job(false)] })).toEqual({ stored: [], discarded: [] })
  expect(run({ endedJobs: [job(true)] })).toEqual({ stored: [], discarded: [] })
})
