/** Whether an open list and an open page of a job keep up with the event feed. */
import { percentiles, runSteadily } from '@platen/test/bench/report.ts'
import type { Api } from '@platen/test/harness/api.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import type { BrowserContext, Page } from 'playwright-core'
import { newJob, type Visitor } from './visitor.ts'

const SECONDS = 15
const JOBS_PER_SECOND = 40
/** In this order: five events of a job. */
const STATES = ['queued', 'sent', 'received', 'printing', 'done']
/** Each key may send 20 requests a second. */
const KEYS = 8
const P95_LIMIT_MS = 300

interface Shown {
  jobId: string
  state: string
  /** Milliseconds since 1970, after the paint. */
  at: number
}

interface Event {
  timestamp: string
  data: { id: string; state: string }
}

/** @throws if list, page and API do not agree at the end. */
export async function measureLive(visitor: Visitor): Promise<Record<string, number>> {
  const { addKey, addComputer, newContext, origin } = visitor
  const apis = await Promise.all(Array.from({ length: KEYS }, addKey))
  let calls = 0
  const nextApi = () => apis[calls++ % KEYS] as Api
  const busy = await addComputer()
  const agent = await busy.connect()
  const waiting = await addComputer()
  const watched = await nextApi().createJob(newJob(waiting.printerId, 'Waits for its computer'))

  const list = await openWatched(await newContext(), `${origin}/app/live/jobs?state=all`)
  const page = await openWatched(await newContext(), `${origin}/app/live/jobs/${watched.id}`)
  const cursor = (await nextApi().get('/v1/events?after=now')).body.nextCursor
  console.log(`${JOBS_PER_SECOND} jobs a second, ${SECONDS} s …`)
  const created = await runSteadily(JOBS_PER_SECOND, JOBS_PER_SECOND * SECONDS, async (_dueAt, n) => {
    // In the middle, so that the page changes under load.
    if (n === (JOBS_PER_SECOND * SECONDS) / 2) void waiting.connect()
    return (await nextApi().createJob(newJob(busy.printerId, `Invoice ${n}`))).id as string
  })
  await nextApi().waitUntilFinal(created.at(-1) ?? '')
  await nextApi().waitUntilFinal(watched.id)
  await waitFor(async () => expectAgreement(await readStates(nextApi), await readRows(list), await readPage(page)))

  const events = await readEvents(nextApi, cursor)
  // The row of the watched job is the last one, far below the screen.
  const ofList = latencies(
    events.filter(({ data }) => data.id !== watched.id),
    await readShown(list),
  )
  const ofPage = latencies(
    events.filter(({ data }) => data.id === watched.id),
    await readShown(page),
  )
  await list.context().close()
  await page.context().close()
  agent.close()
  return {
    'events a second': Math.round(events.length / SECONDS),
    ...percentiles(`event to list, p95 at most ${P95_LIMIT_MS},`, ofList.shown, [50, 95, 100]),
    'events whose row was not on the screen': ofList.missing,
    ...percentiles('event to page of the job', ofPage.shown, [100]),
  }
}

/** @param context a window of its own: a tab behind another one paints nothing. */
async function openWatched(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(url)
  await page.locator('[data-live=live]').waitFor()
  await page.locator('[data-state]').first().waitFor()
  await page.evaluate(watchStates)
  return page
}

/** Runs in the page: records when each state of a job is painted. */
function watchStates(): void {
  const shown: Shown[] = []
  const last = new Map<string, string>()
  let isScheduled = false
  const read = () => {
    isScheduled = false
    for (const element of document.querySelectorAll<HTMLElement>('[data-state]')) {
      const jobId = element.closest<HTMLElement>('[data-job]')?.dataset.job ?? location.pathname.split('/').at(-1) ?? ''
      const state = element.dataset.state ?? ''
      if (last.get(jobId) === state) continue
      last.set(jobId, state)
      shown.push({ jobId, state, at: performance.timeOrigin + performance.now() })
    }
  }
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = read
  new MutationObserver(() => {
    if (isScheduled) return
    isScheduled = true
    requestAnimationFrame(() => port2.postMessage(undefined))
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ['data-state', 'data-job'] })
  read()
  Object.assign(globalThis, { shown })
}

const readShown = (page: Page) => page.evaluate(() => (globalThis as unknown as { shown: Shown[] }).shown)

/** From the time of each event to the first paint of its state or of a later one. */
function latencies(events: Event[], shown: Shown[]): { shown: number[]; missing: number } {
  const rank = (state: string) => STATES.indexOf(state)
  const byJob = Map.groupBy(shown, ({ jobId }) => jobId)
  const found = events.map(({ timestamp, data }) => {
    const first = byJob.get(data.id)?.find(({ state }) => rank(state) >= rank(data.state))
    return first && first.at - Date.parse(timestamp)
  })
  const known = found.filter((ms) => ms !== undefined)
  return { shown: known, missing: found.length - known.length }
}

async function readEvents(nextApi: () => Api, cursor: string): Promise<Event[]> {
  const events: Event[] = []
  for (let after = cursor; ; ) {
    const { body } = await nextApi().get(`/v1/events?dir=asc&limit=100&after=${encodeURIComponent(after)}`)
    events.push(...body.data.filter(({ type }: { type: string }) => type.startsWith('printjob.')))
    if (!body.hasMore) return events
    after = body.nextCursor
  }
}

type States = Record<string, string>

/** The states of all jobs, by the API. */
async function readStates(nextApi: () => Api): Promise<States> {
  const states: States = {}
  for (let query = 'limit=100'; ; ) {
    const { body } = await nextApi().get(`/v1/printjobs?${query}`)
    for (const { id, state } of body.data) states[id] = state
    if (!body.hasMore) return states
    query = `limit=100&after=${encodeURIComponent(body.nextCursor)}`
  }
}

/** The states of all rows: scrolls to the end of the list and back. */
async function readRows(page: Page): Promise<States> {
  const states: States = {}
  for (let isAtEnd = false; !isAtEnd; ) {
    const rows = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('tr[data-job]')].map((row) => [
        row.dataset.job ?? '',
        row.querySelector<HTMLElement>('[data-state]')?.dataset.state ?? '',
      ]),
    )
    Object.assign(states, Object.fromEntries(rows))
    isAtEnd = await page.evaluate(() => scrollY + innerHeight >= document.documentElement.scrollHeight - 1)
    await page.evaluate(
      (isAtEnd) =>
        new Promise((resolve) => {
          scrollTo(0, isAtEnd ? 0 : scrollY + innerHeight)
          requestAnimationFrame(() => requestAnimationFrame(resolve))
        }),
      isAtEnd,
    )
  }
  return states
}

async function readPage(page: Page): Promise<States> {
  const state = await page.locator('[data-state]').first().getAttribute('data-state')
  // What the explanation says, which has an answer of its own.
  const code = await page.locator('section[data-code]').getAttribute('data-code')
  const id = page.url().split('/').at(-1) ?? ''
  return { [id]: code?.startsWith('done') ? (state ?? '') : `${state}, explained as ${code}` }
}

/** @throws with the differences. */
function expectAgreement(api: States, list: States, page: States): void {
  const differences = [
    ...Object.keys({ ...api, ...list })
      .filter((id) => api[id] !== list[id])
      .map((id) => `list ${id}: ${list[id]}, API: ${api[id]}`),
    ...Object.keys(page)
      .filter((id) => api[id] !== page[id])
      .map((id) => `page ${id}: ${page[id]}, API: ${api[id]}`),
  ]
  if (differences.length > 0)
    throw new Error(`${differences.length} differences\n${differences.slice(0, 10).join('\n')}`)
}
