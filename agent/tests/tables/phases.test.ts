import { expect, test } from 'vitest'
import { hasEnded, NEXT_PHASES, type Phase } from '../../journal/phases.ts'

/** Each step that the agent may take with a job. A phase before `handing` has not reached the spooler. */
const STEPS: [from: Phase, to: Phase][] = [
  ['staged', 'granted'],
  ['staged', 'refused'],
  ['granted', 'handing'],
  ['granted', 'refused'],
  ['handing', 'held'],
  ['handing', 'released'],
  ['handing', 'error'],
  ['held', 'releasing'],
  ['held', 'error'],
  ['releasing', 'released'],
  ['releasing', 'error'],
  ['released', 'done'],
  ['released', 'error'],
  ['refused', 'staged'],
]
const PHASES: Phase[] = ['staged', 'granted', 'handing', 'held', 'releasing', 'released', 'done', 'error', 'refused']

test.each(PHASES.flatMap((from) => PHASES.map((to): [Phase, Phase] => [from, to])))(
  'a job moves from %s to %s only if that is a step of its life',
  (from, to) => {
    expect(NEXT_PHASES[from].includes(to)).toBe(STEPS.some((step) => step[0] === from && step[1] === to))
  },
)

test('only done and error end a job', () => {
  expect([Object.keys(NEXT_PHASES), PHASES.filter(hasEnded)]).toEqual([PHASES, ['done', 'error']])
})
