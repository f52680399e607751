import { expect, test } from 'vitest'
import { JOB_STATES, type JobState, TRANSITIONS, TRIGGERS, type Trigger } from '../../states.ts'

/** Copied by hand from the reference table of print job states: where each trigger leads from each state. */
const REFERENCE: Record<Trigger, Partial<Record<JobState, JobState>>> = {
  push: { queued: 'sent' },
  resend: { sent: 'sent' },
  requeue: { sent: 'queued' },
  acknowledge: { sent: 'received' },
  print: { received: 'printing' },
  complete: { printing: 'done' },
  timeOut: { printing: 'error' },
  purge: { received: 'error', printing: 'error' },
  fail: { queued: 'error', sent: 'error', received: 'error', printing: 'error' },
  cancel: { queued: 'cancelled', sent: 'cancelled' },
  expire: { queued: 'expired', sent: 'expired' },
}
const FINAL: readonly JobState[] = ['done', 'error', 'cancelled', 'expired']
const NAMED_WITHOUT_EDGE = ['no-edge.received.cancel', 'no-edge.printing.cancel', 'no-edge.received.expire']

const PAIRS = TRIGGERS.flatMap((trigger) =>
  JOB_STATES.map((state) => {
    const to = REFERENCE[trigger][state] ?? 'no state'
    const named = `no-edge.${state}.${trigger}`
    const kebab = trigger.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)
    if (to !== 'no state') return { trigger, state, to, rule: `edge.${state}.${kebab}.${to}` }
    if (FINAL.includes(state)) return { trigger, state, to, rule: 'final.no-edge' }
    return { trigger, state, to, rule: NAMED_WITHOUT_EDGE.includes(named) ? named : 'edge.other.unchanged' }
  }),
)

test.each(PAIRS)('$trigger leads from $state to $to [$rule]', ({ trigger, state, to }) => {
  const rule: { from: readonly JobState[]; to: JobState } = TRANSITIONS[trigger]
  expect(rule.from.includes(state) ? rule.to : 'no state').toBe(to)
})
