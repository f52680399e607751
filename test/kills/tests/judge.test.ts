import { expect, test } from 'vitest'
import type { IppCall } from '../ipp-recorder.ts'
import { type EndedJob, judge } from '../judge.ts'
import { releasesOf } from '../releases.ts'

const ID = '01990000-0000-7000-8000-000000000001'
const JOB_NAME = `Label [${ID}]`
const created: IppCall = { operation: 'Create-Job', jobName: JOB_NAME, status: 'successful-ok' }
const released: IppCall = { operation: 'Release-Job', jobName: JOB_NAME, status: 'successful-ok' }
const unanswered: IppCall = { operation: 'Release-Job', jobName: JOB_NAME }
const refused: IppCall = { operation: 'Release-Job', jobName: JOB_NAME, status: 'client-error-not-possible' }

const done: EndedJob = { id: ID, state: 'done', stateMessage: null, stateReasons: [] }
const failed = (...stateReasons: string[]): EndedJob => ({ ...done, state: 'error', stateReasons })

const sentences = (job: EndedJob, ...calls: IppCall[]) => judge([job], releasesOf(calls)).map(({ says }) => says)

test.each([
  ['released once', done, [created, released]],
  ['released again after no answer', done, [created, unanswered, released]],
  ['released again after a refusal', done, [created, refused, released]],
  ['created twice and released once', done, [created, created, released]],
  ['in error, unconfirmed', failed('unconfirmed'), [created, released]],
  ['in error, never handed over', failed('unconfirmed'), []],
])('a job may be %s', (_, job, calls) => expect(sentences(job, ...calls)).toEqual([]))

test.each([
  ['released twice', done, [created, released, released], 'was released 2 times'],
  ['done without a release', done, [created], 'is done and was never released'],
  ['done after a release that was refused', done, [created, refused], 'is done and was never released'],
  ['printing for ever', { ...done, state: 'printing' }, [created, released], 'did not end: it is printing'],
  ['in error without need', failed('printer-not-found'), [], 'ended in error for no reason: null'],
])('a job must not be %s', (_, job, calls, says) => expect(sentences(job, ...calls)).toEqual([says]))

test('nothing is printed without being held, and nothing that is not the agent’s is released', () => {
  expect(() => releasesOf([{ ...created, operation: 'Print-Job' }])).toThrow('without being held')
  expect(() => releasesOf([{ ...released, jobName: 'Somebody else’s' }])).toThrow('holds no token')
})
