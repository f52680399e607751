import { expect, test } from 'vitest'
import { hasEnded, NEXT_PHASES, type Phase } from '../../journal/phases.ts'

/** The allowed moves of a job. Before `handing` the spooler does not know the job. */
const STEPS: Record<Phase, Phase[]> = {
  staged: ['granted', 'refused'],
  granted: ['handing', 'refused', 'error'],
  handing: ['held', 'released', 'error'],
  held: ['releasing', 'error'],
  releasing: ['released', 'error'],
  released: ['done', 'error'],
  done: [],
  error: [],
  refused: ['staged'],
}
const PHASES = Object.keys(STEPS) as Phase[]

test.each(PHASES)('a job that is %s moves only to the allowed phases', (from) => {
  expect(PHASES.filter((to) => NEXT_PHASES[from].includes(to))).toEqual(PHASES.filter((to) => STEPS[from].includes(to)))
})

test('only done and error end a job', () => {
  expect([Object.keys(NEXT_PHASES), PHASES.filter(hasEnded)]).toEqual([PHASES, ['done', 'error']])
})
