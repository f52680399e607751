/** `npm run bench -- jobs [seconds] [live]` and `npm run bench -- agents`. Measures; asserts nothing. */
import { benchAgents } from './agents.ts'
import { benchJobs } from './jobs.ts'

const [what, seconds = '15', mode] = process.argv.slice(2)
if (what === 'jobs') await benchJobs(Number(seconds), mode === 'live' ? 'live' : 'test')
else if (what === 'agents') await benchAgents()
else {
  console.error('Usage: npm run bench -- jobs [seconds] [live] | agents')
  process.exitCode = 2
}
