/** Reads the command line of `npm run bench`. Benchmarks measure; they assert nothing. */
import { parseArgs } from 'node:util'
import { benchAgents } from './agents.ts'
import { benchBatches } from './batches.ts'
import { benchDestinations } from './destinations.ts'
import { benchHostile } from './hostile.ts'
import { benchIpp } from './ipp.ts'
import { benchJobs, type Processes } from './jobs.ts'
import { benchLists } from './lists.ts'
import { benchPdf } from './pdf.ts'
import { benchRetention } from './retention.ts'
import { benchRollingRestart } from './rolling-restart.ts'
import { benchStart } from './start.ts'
import { benchStatistics } from './statistics.ts'
import { benchTestMode } from './test-mode.ts'
import { benchUploads } from './uploads.ts'
import { benchWebhookRecovery } from './webhook-recovery.ts'
import { benchWebhooks } from './webhooks.ts'
import { benchWord } from './word.ts'

/**
 * It is not typed here, because what it runs in the browser needs the types of the DOM, which only the dashboard has.
 */
const DASHBOARD = new URL('../../services/dashboard/tests/bench/main.ts', import.meta.url).href

/** With their defaults. */
const OPTIONS = {
  processes: { type: 'string', default: 'one' },
  seconds: { type: 'string', default: '10' },
  organizations: { type: 'string', default: '50' },
  printers: { type: 'string', default: '1' },
  'old-jobs': { type: 'string', default: '0' },
  'idle-agents': { type: 'string', default: '0' },
  endpoints: { type: 'string', default: '0' },
  form: { type: 'boolean', default: false },
  ipp: { type: 'boolean', default: false },
  only: { type: 'string', default: '' },
  'rolling-restart': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

type Options = ReturnType<typeof readArguments>['values']

interface Benchmark {
  argument?: string
  measures: string
  /** @param argument as typed. */
  run: (argument: string | undefined, options: Options) => Promise<void>
}

const BENCHMARKS: Record<string, Benchmark> = {
  jobs: {
    measures: 'jobs a second from REST to done, latencies, CPU and memory of each process, beside a floor and peers',
    run: (_, options) =>
      benchJobs({
        processes: toProcesses(options.processes),
        seconds: toCount(options.seconds),
        organizations: toCount(options.organizations),
        printers: toCount(options.printers),
        oldJobs: toCount(options['old-jobs']),
        idleAgents: toCount(options['idle-agents']),
        endpoints: toCount(options.endpoints),
      }),
  },
  batches: {
    measures: 'CPU of a job that is created alone, and of one of a batch of 100',
    run: (_, { seconds }) => benchBatches(toCount(seconds)),
  },
  destinations: {
    argument: '[10000]',
    measures: 'claims of 20 printers while so many jobs wait for their destination',
    run: (count = '10000') => benchDestinations(toCount(count)),
  },
  ipp: {
    measures: 'CPU of a PDF by IPP beside the same by REST, latency and CPU of Get-Printer-Attributes',
    run: (_, { seconds }) => benchIpp(toCount(seconds)),
  },
  agents: {
    argument: '[5000]',
    measures: 'memory of idle agents, latency of a push; with --rolling-restart how restarts of devices share them',
    run: (count = '5000', options) =>
      options['rolling-restart']
        ? benchRollingRestart(toCount(count))
        : benchAgents(toCount(count), toProcesses(options.processes)),
  },
  uploads: {
    measures:
      '32 uploads of 25 MB at once, with --form as forms, with --ipp slowly by IPP: memory, CPU, latency of small requests beside',
    run: (_, { form, ipp }) => benchUploads(ipp ? 'ipp' : form ? 'form' : 'json'),
  },
  lists: {
    argument: '[1000000]',
    measures: 'pages of GET /v1/printjobs among so many jobs, by each filter',
    run: (count = '1000000') => benchLists(toCount(count)),
  },
  statistics: {
    argument: '[5000000]',
    measures: 'pages of GET /v1/statistics among so many jobs of 400 days',
    run: (count = '5000000') => benchStatistics(toCount(count)),
  },
  hostile: {
    argument: '[500000]',
    measures: 'what an organization that calls each operation as often as it may, among so many jobs, costs others',
    run: (count = '500000', options) => benchHostile(toCount(count), toCount(options.seconds), options.only),
  },
  pdf: {
    argument: '[200]',
    measures: "the agent's inspection of so many PDFs of ten pages",
    run: (count = '200') => benchPdf(toCount(count)),
  },
  word: {
    argument: '[50]',
    measures: 'what it costs to ask label and receipt printers, in so many jobs of one sheet',
    run: (count = '50') => benchWord(toCount(count)),
  },
  retention: {
    argument: '[1000000]',
    measures: 'deletion of so many old jobs while others are created',
    run: (count = '1000000') => benchRetention(toCount(count)),
  },
  start: { measures: 'first and later starts, memory of an idle installation', run: benchStart },
  dashboard: {
    argument: '[routes|loads|live]',
    measures: 'pages in Chromium on a slow computer and line, and their delay at 200 events/s',
    run: async (part) => (await import(DASHBOARD)).benchDashboard(part),
  },
  'test-mode': {
    argument: '[200]',
    measures: 'first use and first job of so many organizations on their test computers',
    run: (count = '200') => benchTestMode(toCount(count)),
  },
  webhooks: {
    measures: 'how soon webhooks arrive and what they cost: quietly, in a burst, at many endpoints, beside a slow one',
    run: benchWebhooks,
  },
  'webhook-recovery': {
    measures: 'how soon webhooks arrive at a receiver with a limited rate, and at one that was down',
    run: benchWebhookRecovery,
  },
}

const USAGE = `Usage: npm run bench -- NAME [options]

${Object.entries(BENCHMARKS)
  .map(([name, { argument = '', measures }]) => `  ${`${name} ${argument}`.padEnd(22)} ${measures}`)
  .join('\n')}

Options of jobs, with their defaults; all can be combined:
  --processes one        or separate: a process for each service (also of agents)
  --seconds 10           length of a phase (also of hostile, which takes --only with a part of the name of an attack)
  --organizations 50     in the load
  --printers 1           of each organization, up to 500 on a computer
  --old-jobs 0           ended jobs of the last year
  --idle-agents 0        further computers without jobs
  --endpoints 0          webhook endpoints of each organization, subscribed to failures only (at most 20)
`

class UsageError extends Error {}

function readArguments() {
  try {
    return parseArgs({ allowPositionals: true, options: OPTIONS })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function toCount(text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  throw new UsageError(`"${text}" is not a number.`)
}

function toProcesses(text: string): Processes {
  if (text === 'one' || text === 'separate') return text
  throw new UsageError('--processes must be "one" or "separate".')
}

async function main(): Promise<void> {
  const { values, positionals } = readArguments()
  const [name = '', argument] = positionals
  if (values.help) return console.log(USAGE)
  const benchmark = BENCHMARKS[name]
  if (!benchmark) throw new UsageError(name === '' ? 'Which benchmark?' : `There is no benchmark "${name}".`)
  await benchmark.run(argument, values)
}

try {
  await main()
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(`${error.message}\n\n${USAGE}`)
  process.exitCode = 2
}
