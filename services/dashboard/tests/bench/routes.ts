/** What the first load of each page costs: requests, kilobytes of scripts, and time on a slow computer and line. */
import type { BrowserContext } from 'playwright-core'
import { LINE, openSlowPage, readObserved, untilShown } from './slow-page.ts'
import type { Visitor } from './visitor.ts'

/** What a page requests after its content belongs to its load. */
const SETTLE_MS = 2_000

/** The path of each page, and what it shows when it can be read. */
const ROUTES = {
  'sign-in': { path: '/signin', content: 'input[name=email]' },
  overview: { path: '/live', content: 'main tr[data-job]' },
  jobs: { path: '/live/jobs?state=all', content: 'main tr[data-job]' },
  job: { path: '/live/jobs/JOB', content: 'section[data-code]' },
  printers: { path: '/live/printers', content: 'tr[data-printer]' },
  computers: { path: '/live/computers', content: 'tr[data-computer]' },
  webhooks: { path: '/live/webhooks', content: 'main [data-empty]' },
  keys: { path: '/live/keys', content: 'main tbody tr' },
  usage: { path: '/usage', content: 'main section' },
}

/** The poll of the feed, which waits for events. */
const POLL = /^\/v1\/events\?.*wait=/

export async function measureRoutes(visitor: Visitor, jobId: string): Promise<Record<string, string>> {
  console.log(`one load of each page, ${LINE} …`)
  const figures: Record<string, string> = {}
  for (const [name, { path, content }] of Object.entries(ROUTES)) {
    const context = name === 'sign-in' ? await visitor.newStranger() : await visitor.newContext()
    figures[name] = await measureRoute(context, `${visitor.origin}/app${path.replace('JOB', jobId)}`, content)
    await context.close()
  }
  return figures
}

async function measureRoute(context: BrowserContext, url: string, content: string): Promise<string> {
  const page = await openSlowPage(context)
  const requests: { path: string; isBefore: boolean }[] = []
  let isReadable = false
  let scriptBytes = 0
  const measured: Promise<void>[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    requests.push({ path: pathname + search, isBefore: !isReadable })
  })
  page.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return
    const add = async () => {
      scriptBytes += (await request.sizes()).responseBodySize
    }
    measured.push(add())
  })
  await page.goto(url)
  const readableMs = await untilShown(page, content)
  isReadable = true
  await page.waitForTimeout(SETTLE_MS)
  await Promise.all(measured)
  const { firstContentMs, longTasks } = await readObserved(page)
  const blockingMs = longTasks.reduce((sum, { duration }) => sum + duration - 50, 0)
  const before = requests.filter(({ isBefore, path }) => isBefore && !POLL.test(path))
  return [
    `${count(before)} requests until it can be read, ${count(requests)} in all`,
    `${(scriptBytes / 1000).toFixed(1)} KB of scripts`,
    `first content ${Math.round(firstContentMs)} ms, readable ${Math.round(readableMs)} ms, blocked ${Math.round(blockingMs)} ms`,
  ].join('; ')
}

/** "8 (3 of the API)" */
const count = (requests: { path: string }[]) =>
  `${requests.length} (${requests.filter(({ path }) => !path.startsWith('/app')).length} of the API)`
