/** `npm run test:long -- paper`: random printers, jobs and faults. PLATEN_PAPER_SEEDS says how many, PLATEN_PAPER_FIRST the first seed. */
import { expect, test } from 'vitest'
import { runTrial } from './trial.ts'

const SEEDS = Number(process.env.PLATEN_PAPER_SEEDS ?? 1_000)
const FIRST = Number(process.env.PLATEN_PAPER_FIRST ?? 1)
/** Trials wait for most of their time. */
const AT_ONCE = 20

const groups = Array.from({ length: Math.ceil(SEEDS / AT_ONCE) }, (_, n) =>
  Array.from({ length: Math.min(AT_ONCE, SEEDS - n * AT_ONCE) }, (__, k) => FIRST + n * AT_ONCE + k),
)

test.each(groups.map((seeds) => [seeds[0], seeds.at(-1), seeds]))(
  'seeds %i to %i: no sheet is confirmed too early, doubled or lost',
  async (_first, _last, seeds) => {
    const trials = await Promise.all((seeds as number[]).map(runTrial))
    expect(trials.filter(({ violations }) => violations.length > 0)).toEqual([])
  },
)
