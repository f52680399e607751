import { RESENDS_MAX } from '@platen/resources/limits.ts'
import { expect, test } from 'vitest'
import { JOB_STATES, TRIGGERS } from '../../states.ts'

test('the names of states and triggers and the number of resends are those of the reference', () => {
  expect(JOB_STATES).toEqual(['queued', 'sent', 'received', 'printing', 'done', 'error', 'cancelled', 'expired'])
  expect(TRIGGERS).toEqual([
    'push',
    'resend',
    'requeue',
    'acknowledge',
    'print',
    'complete',
    'timeOut',
    'purge',
    'fail',
    'cancel',
    'expire',
  ])
  expect(RESENDS_MAX).toBe(3)
})
