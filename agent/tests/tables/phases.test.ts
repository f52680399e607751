import { expect, test } from 'vitest'
import { hasEnded, NEXT_PHASES, type Phase } from '../../journal/phases.ts'

/** Each step that the agent may take with a job. A phase before `handing` has not reached the spooler. */
const STEPS: Record<Phase, Phase[]> = {
  staged: ['granted', 'refused'],
  granted: ['handing', 'refused'],
  handing: ['held', 'released', 'error'],
  held: ['releasing', 'error'],
  releasing: ['released', 'error'],
  released: ['done', 'error'],
  done: [],
  error: [],
  refused: ['staged'],
}
const PHASES = Object.keys(STEPS) as Phase[]

test.each(PHASES)('a job that is %s moves only to the next phases of its life', (from) => {
  expect(PHASES.filter((to) => NEXT_PHASES[from].includes(to))).toEqual(PHASES.filter((to) => STEPS[from].includes(to)))
})

test('only done and error end a job', () => {
  expect([Object.keys(NEXT_PHASES), PHASES.filter(hasEnded)]).toEqual([PHASES, ['done', 'error']])
})
