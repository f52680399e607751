/**
 * `npm run test:long -- paper`: random printers, jobs and faults, without and with a kill of the agent.
 * PLATEN_PAPER_SEEDS and PLATEN_PAPER_KILLS say how many, PLATEN_PAPER_FIRST the first seed.
 */
import { expect, test } from 'vitest'
import { runKillTrial } from './kill-trial.ts'
import { runTrial } from './trial.ts'

const read = (name: string, byDefault: number) => Number(process.env[`PLATEN_PAPER_${name}`] ?? byDefault)
const FIRST = read('FIRST', 1)
/** Trials wait for most of their time. Each one with a kill starts a process. */
const AT_ONCE = { fault: 20, kill: 8 }

const toGroups = (count: number, atOnce: number) =>
  Array.from({ length: Math.ceil(count / atOnce) }, (_, n) => {
    const first = FIRST + n * atOnce
    const seeds = Array.from({ length: Math.min(atOnce, count - n * atOnce) }, (__, k) => first + k)
    return [first, seeds.at(-1), seeds] as const
  })

test.each(toGroups(read('SEEDS', 1_000), AT_ONCE.fault))(
  'seeds %i to %i: no sheet is confirmed too early, doubled or lost',
  async (_first, _last, seeds) => {
    const trials = await Promise.all(seeds.map(runTrial))
    expect(trials.filter(({ violations }) => violations.length > 0)).toEqual([])
  },
)

test.each(toGroups(read('KILLS', 300), AT_ONCE.kill))(
  'seeds %i to %i with a kill: no sheet is confirmed too early, doubled or lost, and only the interrupted job is unknown',
  async (_first, _last, seeds) => {
    const trials = await Promise.all(seeds.map(runKillTrial))
    expect(trials.filter(({ violations }) => violations.length > 0)).toEqual([])
  },
)
