import { expect, test } from 'vitest'
import { JOB_STATUS, stateOfJob } from '../../spoolers/windows/job-status.ts'

const { paused, error, deleting, spooling, printing, offline, paperOut, printed, deleted } = JOB_STATUS
const { blocked, userIntervention, restart, complete, retained, renderingLocally } = JOB_STATUS

test.each([
  ['nothing', 0, 'pending', []],
  ['spooling', spooling, 'pending', []],
  ['rendering', renderingLocally, 'pending', []],
  ['paused', paused, 'held', ['job-hold-until-specified']],
  ['paused while it is spooled', paused | spooling, 'held', ['job-hold-until-specified']],
  ['paused and to be kept', paused | retained, 'held', ['job-hold-until-specified']],
  ['printing', printing, 'processing', ['job-printing']],
  ['printing while it is spooled', printing | spooling, 'processing', ['job-printing']],
  ['paused by somebody while it printed', printing | paused, 'processing', ['job-printing']],
  ['printed once more by somebody', restart, 'processing', ['job-printing']],
  ['printing, out of paper', printing | paperOut, 'processing', ['job-printing', 'media-empty']],
  ['printing, printer off', printing | offline | error, 'processing', ['job-printing', 'other', 'offline']],
  ['printing, needs somebody', printing | userIntervention, 'processing', ['job-printing', 'other']],
  ['waiting with an error', error, 'pending', ['other']],
  ['blocked', blocked, 'pending', ['other']],
  ['printed', printed, 'completed', ['job-completed-successfully']],
  ['sent', complete, 'completed', ['job-completed-successfully']],
  ['printed and kept', printed | retained, 'completed', ['job-completed-successfully']],
  ['printed with an error', printed | error, 'completed', ['job-completed-successfully']],
  ['printed and on its way out', printed | deleting, 'completed', ['job-completed-successfully']],
  ['being deleted', deleting, 'aborted', ['job-canceled-by-user']],
  ['being deleted while it prints', deleting | printing, 'aborted', ['job-canceled-by-user']],
  ['deleted', deleted | paused, 'aborted', ['job-canceled-by-user']],
] as const)('a job that is %s', (_, status, is, reasons) => {
  expect(stateOfJob({ status, statusText: '' })).toMatchObject({ is, reasons })
})

test('what stands in the way is said in sentences, or as the driver says it', () => {
  expect(stateOfJob({ status: printing | paperOut | offline, statusText: '' }).message).toBe(
    'The printer is offline. The printer is out of paper.',
  )
  expect(stateOfJob({ status: printing | paperOut, statusText: ' Load A4 in tray 2 ' }).message).toBe(
    'Load A4 in tray 2.',
  )
  expect(stateOfJob({ status: printing, statusText: '' })).not.toHaveProperty('message')
})
