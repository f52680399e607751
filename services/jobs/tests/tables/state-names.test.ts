import { readFileSync } from 'node:fs'
import { RESENDS_MAX } from '@platen/resources/limits.ts'
import { END_REASONS } from '@platen/runtime/telemetry/metrics.ts'
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

test('the metrics of ended jobs have every reason of an ended job in the reference', () => {
  const page = readFileSync(new URL('../../../../docs/reference/state-reasons.md', import.meta.url), 'utf8')
  const documented = [...page.matchAll(/^\| `([\w-]+)` \| (?:`cancelled`, )?`error` \|/gm)]
  expect(END_REASONS).toEqual(documented.map(([, reason]) => reason))
})
