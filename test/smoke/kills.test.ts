import { expect, test } from 'vitest'
import { runKills } from '../chaos/run-kills.ts'
import { whyNoCups } from '../cups/find-cups.ts'

test.skipIf(await whyNoCups())(
  'kills of the agent and of CUPS release no job twice and leave none without an end',
  async () => {
    const { history, violations, evidence } = await runKills({ agentKills: 2, cupsKills: 1, seed: 1 })
    expect(violations, `logs: ${evidence}`).toEqual([])
    expect(history.database.jobs.filter(({ state }) => state === 'done')).not.toEqual([])
  },
  // The last jobs may take 300 s.
  400_000,
)
