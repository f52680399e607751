import { expect, test } from 'vitest'
import { toSteps } from '../../src/features/jobs/page/steps.ts'
import type { Explanation } from '../../src/features/jobs/page/use-explanation.ts'

const USER = { id: 'user-1', email: 'owner@example.com' }
const CREATED = Date.parse('2026-03-02T10:00:00Z')
const at = (seconds: number) => new Date(CREATED + seconds * 1000).toISOString()

type JobEvent = Explanation['events'][number]

const newEvent = (seconds: number, state: string, changes: Partial<JobEvent> = {}) =>
  ({ id: `${state}-${seconds}`, createdAt: at(seconds), state, actor: 'system', message: null, ...changes }) as JobEvent

const resend = (seconds: number, nth: number) => newEvent(seconds, 'sent', { message: `resend ${nth} of 3` })

const newExplanation = (events: JobEvent[], more: object = {}) =>
  ({ events, around: [], createdBy: null, cancelledBy: null, computer: null, ...more }) as unknown as Explanation

test('a job step has its state, time, message and the time since the previous one', () => {
  const events = [newEvent(0, 'queued'), newEvent(1.5, 'sent'), newEvent(2, 'error', { message: 'No paper.' })]
  expect(toSteps(newExplanation(events), USER)).toEqual([
    { kind: 'job', id: 'queued-0', at: at(0), state: 'queued', actor: 'Platen', message: null },
    { kind: 'job', id: 'sent-1.5', at: at(1.5), sincePreviousMs: 1_500, state: 'sent', actor: 'Platen', message: null },
    {
      ...{ kind: 'job', id: 'error-2', at: at(2), sincePreviousMs: 500 },
      ...{ state: 'error', actor: 'Platen', message: 'No paper.' },
    },
  ])
})

test('consecutive resends are one row with their number and the time of the last one', () => {
  const events = [newEvent(0, 'queued'), newEvent(1, 'sent'), resend(61, 1), resend(121, 2), resend(181, 3)]
  const requeued = [newEvent(241, 'queued'), newEvent(242, 'sent'), resend(302, 1)]
  const steps = toSteps(newExplanation([...events, ...requeued]), USER)
  expect(steps.map((step) => step.kind === 'job' && [step.state, step.at, step.sincePreviousMs, step.message])).toEqual(
    [
      ['queued', at(0), undefined, null],
      ['sent', at(1), 1_000, null],
      ['sent', at(181), 60_000, '3 resends'],
      ['queued', at(241), 60_000, null],
      ['sent', at(242), 1_000, null],
      ['sent', at(302), 60_000, 'resend 1 of 3'],
    ],
  )
})

test('a message that only contains the text of a resend is a row of its own, also after a resend', () => {
  const events = [newEvent(0, 'sent'), resend(1, 1), newEvent(2, 'sent', { message: 'no resend 2' }), resend(3, 2)]
  const other = newEvent(4, 'received', { message: 'resend 3' })
  const steps = toSteps(newExplanation([...events, other]), USER)
  expect(steps.map((step) => step.kind === 'job' && step.message)).toEqual([
    ...[null, 'resend 1 of 3', 'no resend 2', 'resend 2 of 3', 'resend 3'],
  ])
})

const KEY = { kind: 'key', id: 'key-1', name: 'Shop' }
const SELF = { kind: 'user', id: USER.id, name: USER.email }
const OTHER = { kind: 'user', id: 'user-2', name: 'member@example.com' }

test.each<[actor: string, state: string, more: object, text: string]>([
  ['system', 'sent', {}, 'Platen'],
  ['agent', 'received', {}, 'agent'],
  ['agent', 'received', { computer: { name: 'Packing-3' } }, 'agent on Packing-3'],
  ['api', 'queued', {}, 'API key'],
  ['user', 'queued', {}, 'user'],
  ['api', 'queued', { createdBy: KEY, cancelledBy: OTHER }, 'key “Shop”'],
  ['api', 'queued', { createdBy: { ...KEY, name: null } }, 'key “key-1”'],
  ['user', 'queued', { createdBy: SELF }, 'you'],
  ['user', 'queued', { createdBy: OTHER }, 'member@example.com'],
  ['user', 'queued', { createdBy: { ...OTHER, name: null } }, 'user'],
  ['user', 'cancelled', { createdBy: KEY, cancelledBy: OTHER }, 'member@example.com'],
])('what %s did to %s with %j is done by "%s"', (actor, state, more, text) => {
  const [step] = toSteps(newExplanation([newEvent(0, state, { actor } as Partial<JobEvent>)], more), USER)
  expect(step).toMatchObject({ actor: text })
})

test('events of printer and computer are between the steps, by their time', () => {
  const around = [
    { id: 'a', timestamp: at(2), type: 'printer.offline', data: { displayName: 'Label 2', stateReasons: [] } },
    { id: 'b', timestamp: at(1), type: 'computer.offline', data: { name: 'Packing-3' } },
    { id: 'c', timestamp: at(4), type: 'printer.updated', data: { displayName: 'Label 2', stateReasons: ['a', 'b'] } },
  ]
  const steps = toSteps(newExplanation([newEvent(0, 'queued'), newEvent(3, 'sent')], { around }), USER)
  expect(steps.map((step) => (step.kind === 'around' ? step : step.state))).toEqual([
    'queued',
    { kind: 'around', id: 'b', at: at(1), text: 'computer Packing-3 offline' },
    { kind: 'around', id: 'a', at: at(2), text: 'printer Label 2 offline' },
    'sent',
    { kind: 'around', id: 'c', at: at(4), text: 'printer Label 2 updated (a, b)' },
  ])
})
