import { expect, test } from 'vitest'
import { runSeed } from '../chaos/run-seed.ts'

/**
 * Kills a replica and the agent, restarts PostgreSQL, and breaks a connection of an agent. NATS loses nothing here: webhooks that it loses wait for a
 * lease of 30 s.
 */
const SEED = 206

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
