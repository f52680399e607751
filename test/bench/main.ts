/**
 * `npm run bench -- jobs [seconds] [live]`, `-- agents`, `-- uploads`, `-- lists [rows]`, `-- start`, `-- test-mode [organizations]`,
 * `-- webhooks [deliveries]` and `-- webhook-isolation [rounds]`. Measures; asserts nothing.
 */
import { benchAgents } from './agents.ts'
import { benchJobs } from './jobs.ts'
import { benchLists } from './lists.ts'
import { benchStart } from './start.ts'
import { benchTestMode } from './test-mode.ts'
import { benchUploads } from './uploads.ts'
import { benchWebhookIsolation } from './webhook-isolation.ts'
import { benchWebhooks } from './webhooks.ts'

const [what, count, mode] = process.argv.slice(2)
if (what === 'jobs') await benchJobs(Number(count ?? 15), mode === 'live' ? 'live' : 'test')
else if (what === 'agents') await benchAgents()
else if (what === 'uploads') await benchUploads()
else if (what === 'lists') await benchLists(Number(count ?? 1_000_000))
else if (what === 'start') await benchStart()
else if (what === 'test-mode') await benchTestMode(Number(count ?? 200))
else if (what === 'webhooks') await benchWebhooks(Number(count ?? 200_000))
else if (what === 'webhook-isolation') await benchWebhookIsolation(Number(count ?? 3))
else {
  console.error(
    'Usage: npm run bench -- jobs [seconds] [live] | agents | uploads | lists [rows] | start | test-mode [organizations] | webhooks [deliveries] | webhook-isolation [rounds]',
  )
  process.exitCode = 2
}
