/** Reads the command line of `npm run bench`. Benchmarks measure; they assert nothing. */
import { parseArgs } from 'node:util'
import { benchAgents } from './agents.ts'
import { benchHostile } from './hostile.ts'
import { benchJobs } from './jobs.ts'
import { benchLists } from './lists.ts'
import { benchPdf } from './pdf.ts'
import { benchRetention } from './retention.ts'
import { benchRollingRestart } from './rolling-restart.ts'
import { benchStart } from './start.ts'
import { benchTestMode } from './test-mode.ts'
import { benchUploads } from './uploads.ts'
import { benchWebhooks } from './webhooks.ts'

/** Not typed here, because what it runs in the browser needs the types of the DOM, which only the dashboard has. */
const DASHBOARD = new URL('../../services/dashboard/tests/bench/main.ts', import.meta.url).href

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    processes: { type: 'string', default: 'one' },
    seconds: { type: 'string', default: '10' },
    'rolling-restart': { type: 'boolean', default: false },
  },
})
const [name, count] = positionals
const seconds = Number(values.seconds)
const processes = values.processes === 'one' || values.processes === 'separate' ? values.processes : undefined

if (name === 'jobs' && processes && seconds > 0) await benchJobs(processes, seconds)
else if (name === 'agents' && values['rolling-restart']) await benchRollingRestart(Number(count ?? 3_000))
else if (name === 'agents') await benchAgents(Number(count ?? 5_000))
else if (name === 'uploads') await benchUploads()
else if (name === 'lists') await benchLists(Number(count ?? 1_000_000))
else if (name === 'hostile') await benchHostile(Number(count ?? 500_000), seconds)
else if (name === 'pdf') await benchPdf(Number(count ?? 200))
else if (name === 'retention') await benchRetention(Number(count ?? 1_000_000))
else if (name === 'dashboard') await (await import(DASHBOARD)).benchDashboard(count)
else if (name === 'start') await benchStart()
else if (name === 'test-mode') await benchTestMode(Number(count ?? 200))
else if (name === 'webhooks') await benchWebhooks()
else {
  console.error(`Usage: npm run bench -- jobs [--processes one|separate] [--seconds N] | agents [streams] [--rolling-restart] | uploads | lists [rows] |
  hostile [jobs] [--seconds N] | retention [rows] | pdf [documents] | start | dashboard [loads|live] | test-mode [organizations] | webhooks`)
  process.exitCode = 2
}
