import { expect, test } from 'vitest'
import { whyNoCups } from '../../cups/find-cups.ts'
import { runKills } from '../run-kills.ts'

test.skipIf(await whyNoCups())(
  'no kill of the agent or of CUPS has a job released twice, or left without an end',
  async () => {
    const { violations, jobs } = await runKills({ agentKills: 8, cupsKills: 2, seed: 1 })
    expect(violations).toEqual([])
    expect(jobs.filter(({ state }) => state === 'done')).not.toEqual([])
  },
  // Of which the last jobs may take 300 s.
  600_000,
)
