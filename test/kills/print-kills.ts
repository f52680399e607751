import type { KillsResult } from './run-kills.ts'

export function printKills({
  jobs,
  agentKills,
  cupsKills,
  seconds,
  repeatedReleases,
  violations,
  evidence,
}: KillsResult): void {
  const count = (state: string, reason?: string) =>
    jobs.filter((job) => job.state === state && (!reason || job.stateReasons.includes(reason))).length
  console.table({
    'kills of the agent': agentKills,
    'kills of CUPS': cupsKills,
    jobs: jobs.length,
    done: count('done'),
    'in error, unconfirmed': count('error', 'unconfirmed'),
    'in error, left standing by CUPS': count('error', 'spooler-timeout'),
    'released again after no answer': repeatedReleases,
    violations: violations.length,
    seconds: Math.round(seconds),
  })
  for (const { job, says } of violations) console.log(`job ${job} ${says}`)
  if (evidence) console.log(`The agent's log and journal are kept in ${evidence}.`)
}
