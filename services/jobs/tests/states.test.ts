import { describe, expect, test } from 'vitest'
import { JOB_STATES, type JobState, RULES, TRIGGERS, type Trigger } from '../states.ts'

/** Copied by hand from the specification's table, "Print job states": where each trigger leads from each state. */
const SPECIFICATION: Record<Trigger, Partial<Record<JobState, JobState>>> = {
  push: { queued: 'sent' },
  resend: { sent: 'sent' },
  giveBack: { sent: 'queued' },
  acknowledge: { sent: 'received' },
  print: { received: 'printing' },
  complete: { printing: 'done' },
  timeOut: { printing: 'error' },
  fail: { queued: 'error', sent: 'error', received: 'error', printing: 'error' },
  cancel: { queued: 'cancelled', sent: 'cancelled' },
  expire: { queued: 'expired', sent: 'expired' },
}

describe.each(TRIGGERS)('%s', (trigger) => {
  test.each(JOB_STATES)('from %s leads where the specification says', (state) => {
    const rule = RULES[trigger]
    const from: readonly JobState[] = rule.from
    expect(from.includes(state) ? rule.to : undefined).toBe(SPECIFICATION[trigger][state])
  })
})

test('no edge leads out of a final state', () => {
  const left = TRIGGERS.flatMap((trigger): readonly JobState[] => RULES[trigger].from)
  expect(left).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(done|error|cancelled|expired)$/)]))
})
