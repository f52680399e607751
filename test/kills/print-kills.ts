import type { KillsResult } from './run-kills.ts'

export function printKills({ jobs, agentKills, cupsKills, seconds, repeatedReleases, violations }: KillsResult): void {
  const count = (state: string) => jobs.filter((job) => job.state === state).length
  console.table({
    'kills of the agent': agentKills,
    'kills of CUPS': cupsKills,
    jobs: jobs.length,
    done: count('done'),
    'in error': count('error'),
    'released again after no answer': repeatedReleases,
    violations: violations.length,
    seconds: Math.round(seconds),
  })
  for (const { job, says } of violations) console.log(`job ${job} ${says}`)
}
