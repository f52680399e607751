import { expect, test } from 'vitest'
import { runSeed } from '../chaos/run-seed.ts'

const SEED = 6

test.runIf(process.platform === 'linux')(
  'after 8 s of load and faults no job is lost, doubled or stuck',
  async () => {
    const { history, violations, evidence } = await runSeed({ seed: SEED, seconds: 8, together: true })
    expect(violations, `npm run test:chaos -- --seed ${SEED} --seconds 8 --together; logs: ${evidence}`).toEqual([])
    expect(history.faults.length).toBeGreaterThanOrEqual(5)
    expect(history.database.jobs.filter(({ state }) => state === 'done').length).toBeGreaterThan(10)
  },
  240_000,
)
