/**
 * `npm run test:kills`: shows that no kill of the agent or of CUPS prints a job twice or leaves one without an end. Exits with 1 for violations,
 * with 2 for wrong arguments.
 */
import { parseArgs } from 'node:util'
import { abortOnSignal, readInteger } from './command.ts'
import { runKills } from './run-kills.ts'

const USAGE = 'npm run test:kills -- [--agent 200] [--cups 50] [--seed 1] [--save-after 0]'

function readArguments() {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { agent: text, cups: text, seed: text, 'save-after': text } })
  return {
    agentKills: readInteger('--agent', values.agent ?? '200', 0, 100_000),
    cupsKills: readInteger('--cups', values.cups ?? '50', 0, 100_000),
    seed: readInteger('--seed', values.seed ?? '1', 0, 2 ** 31 - 1),
    saveAfterSeconds: readInteger('--save-after', values['save-after'] ?? '0', 0, 3_600),
  }
}

let options: ReturnType<typeof readArguments>
try {
  options = readArguments()
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}. Usage: ${USAGE}`)
  process.exit(2)
}
console.log(`seed ${options.seed}`)
const onProgress = (line: string) => process.stderr.write(`${line} …\n`)
const { history, violations, evidence } = await runKills({ ...options, signal: abortOnSignal(), onProgress })
const count = (state: string, reason?: string) =>
  history.database.jobs.filter((job) => job.state === state && (!reason || job.stateReasons.includes(reason))).length
console.table({
  kills: history.faults.length,
  jobs: history.database.jobs.length,
  done: count('done'),
  unconfirmed: count('error', 'unconfirmed'),
  'left by CUPS': count('error', 'spooler-timeout'),
  'releases without an answer': history.spoolerCalls.filter(({ isUncertain }) => isUncertain).length,
  violations: violations.length,
})
for (const { group, subject, message } of violations) console.log(`${group}  ${subject}: ${message}`)
if (evidence) console.log(`Logs and journal: ${evidence}\nRepeat: npm run test:kills -- --seed ${options.seed}`)
process.exit(violations.length > 0 ? 1 : 0)
