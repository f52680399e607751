import { expect, test } from 'vitest'
import { runSeed } from '../chaos/run-seed.ts'
import { STALL } from '../checker/history.ts'

/**
 * Kills a replica and the agent, restarts PostgreSQL, and breaks a connection of an agent. NATS loses nothing here: webhooks that it loses wait for a
 * lease of 30 s.
 */
const SEED = 1696

test.runIf(process.platform === 'linux')(
  'after 5 s of load and faults no job is lost, doubled or stuck',
  async () => {
    const { history, violations, evidence } = await runSeed({ seed: SEED, seconds: 5, together: true })
    expect(violations, `npm run test:long -- chaos --seed ${SEED} --seconds 5 --together; logs: ${evidence}`).toEqual(
      [],
    )
    expect(history.faults.filter(({ kind }) => kind !== STALL).length).toBe(4)
    expect(history.database.jobs.filter(({ state }) => state === 'done').length).toBeGreaterThan(10)
  },
  240_000,
)
