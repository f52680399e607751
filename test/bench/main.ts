/** `npm run bench -- jobs [seconds]`, `npm run bench -- agents` and `npm run bench -- uploads`. Measures; asserts nothing. */
import { benchAgents } from './agents.ts'
import { benchJobs } from './jobs.ts'
import { benchUploads } from './uploads.ts'

const [what, seconds = '15'] = process.argv.slice(2)
if (what === 'jobs') await benchJobs(Number(seconds))
else if (what === 'agents') await benchAgents()
else if (what === 'uploads') await benchUploads()
else {
  console.error('Usage: npm run bench -- jobs [seconds] | agents | uploads')
  process.exitCode = 2
}
