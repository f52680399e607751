/**
 * `npm run test:long -- kills`: shows that no kill of an agent, of CUPS or of a service prints a job twice or leaves a
 * job unfinished. Exits with 1 for violations, with 2 for wrong arguments.
 */
import { parseArgs } from 'node:util'
import { runKills } from './run-kills.ts'
import { abortOnSignal, printViolations, readArguments, readInteger } from './verdict.ts'

const USAGE =
  'npm run test:long -- kills [--agent 200] [--cups 50] [--gateway 0] [--jobs 0] [--printnode] [--ipp 0] [--seed 1] [--save-after 0]'

const options = readArguments(USAGE, () => {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    options: {
      ...{ agent: text, cups: text, gateway: text, ipp: text, jobs: text, seed: text, 'save-after': text },
      printnode: { type: 'boolean' },
    },
  })
  return {
    agentKills: readInteger('--agent', values.agent ?? (values.ipp ? '0' : '200'), 0, 100_000),
    cupsKills: readInteger('--cups', values.cups ?? (values.ipp ? '0' : '50'), 0, 100_000),
    ippKills: readInteger('--ipp', values.ipp ?? '0', 0, 100_000),
    gatewayKills: readInteger('--gateway', values.gateway ?? '0', 0, 100_000),
    jobsMin: readInteger('--jobs', values.jobs ?? '0', 0, 100_000),
    printNode: values.printnode,
    seed: readInteger('--seed', values.seed ?? '1', 0, 2 ** 31 - 1),
    saveAfterSeconds: readInteger('--save-after', values['save-after'] ?? '0', 0, 3_600),
  }
})

console.log(`seed ${options.seed}`)
const onProgress = (line: string) => process.stderr.write(`${line} …\n`)
const result = await runKills({ ...options, signal: abortOnSignal(), onProgress })
const { faults, spoolerCalls, database } = result.history
const count = (state: string, reason?: string) =>
  database.jobs.filter((job) => job.state === state && (!reason || job.stateReasons.includes(reason))).length
const taken = database.jobs.filter(({ destinationId, sentAtMs }) => destinationId !== null && sentAtMs !== null)
console.table({
  kills: faults.length,
  jobs: database.jobs.length,
  'jobs of destinations': taken.length,
  'taken by each computer': [...Map.groupBy(taken, ({ computerId }) => computerId).values()]
    .map(({ length }) => length)
    .join(' + '),
  done: count('done'),
  'PDFs done': result.pdfs.done,
  'PDFs out of the printer': result.pdfs.printed,
  'labels confirmed by their printer': result.labels.confirmed,
  'labels out of the printer': result.labels.printed,
  unconfirmed: count('error', 'unconfirmed'),
  'left by CUPS': count('error', 'spooler-timeout'),
  'releases without an answer': spoolerCalls.filter(({ isUncertain }) => isUncertain).length,
  ...(result.ipp && {
    'prints of computers that were cut off': result.ipp.cuts,
    'jobs begun by Create-Job': result.ipp.createdJobs,
    'ended without a document': result.ipp.interrupted,
    'Print-Jobs without an answer': result.ipp.unansweredPrintJobs,
  }),
  violations: result.violations.length,
})
printViolations(result)
if (result.evidence) console.log(`Repeat: npm run test:long -- kills ${process.argv.slice(2).join(' ')}`)
process.exit(result.violations.length > 0 ? 1 : 0)
