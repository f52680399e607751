/** How fast pages of the dashboard load, with the conditions and limits of its design. */

import { type Figures, medians } from '@platen/test/bench/report.ts'
import type { Page } from 'playwright-core'
import { newJob, type Visitor } from './visitor.ts'

const REPEATS = 5
const CPU_SLOWDOWN = 4
const BYTES_PER_SECOND = 1_600_000 / 8
const LATENCY_MS = 150
/** What a page does after its first content belongs to its load. */
const SETTLE_MS = 2_000
const JOBS = 15

const LIMITS: Figures = {
  'first content ms': 1_800,
  'job summary readable ms': 2_500,
  'blocking time ms': 200,
  'layout shift': 0.02,
  'route change to the overview ms': 100,
  'route change to a job ms': 100,
}

/** Chromium's figures of a page, collected by `observe`. */
interface Observed {
  firstContentMs: number
  longTasks: { startTime: number; duration: number }[]
  layoutShift: number
}

export async function measureLoads(visitor: Visitor): Promise<Record<string, number | string>> {
  const jobId = await createJobs(visitor)
  console.log(`${REPEATS} loads of the page of a job, CPU ${CPU_SLOWDOWN} times slower, 1.6 Mbit/s, ${LATENCY_MS} ms …`)
  const rounds: Figures[] = []
  while (rounds.length < REPEATS) {
    const round = { ...(await measureFloor(visitor)), ...(await measureJobPage(visitor, jobId)) }
    console.log(`  ${JSON.stringify(round)}`)
    rounds.push(round)
  }
  return Object.fromEntries(
    Object.entries(medians(rounds)).map(([name, value]) =>
      name in LIMITS ? [`${name}, at most ${LIMITS[name]}`, value] : [name, value],
    ),
  )
}

/** @returns the last one, which is done. */
async function createJobs({ addKey, addComputer }: Visitor): Promise<string> {
  const api = await addKey()
  const { printerId, connect } = await addComputer()
  const agent = await connect()
  let jobId = ''
  for (let n = 1; n <= JOBS; n++) jobId = (await api.createJob(newJob(printerId, `Invoice ${n}`))).id
  await api.waitUntilFinal(jobId)
  agent.close()
  return jobId
}

/** A page of the same server without script and style, and a click that adds one element to it. */
async function measureFloor(visitor: Visitor): Promise<Figures> {
  const page = await openSlowPage(visitor)
  await page.goto(`${visitor.origin}/version`)
  const { firstContentMs } = await readObserved(page)
  await page.evaluate(() => {
    const link = document.body.appendChild(document.createElement('a'))
    link.onclick = () => document.body.append(document.createElement('h1'))
  })
  const clickMs = await changeRoute(page, 'a', 'h1')
  await page.context().close()
  return { 'floor: first content ms': Math.round(firstContentMs), 'floor: click to paint ms': Math.round(clickMs) }
}

async function measureJobPage(visitor: Visitor, jobId: string): Promise<Figures> {
  const page = await openSlowPage(visitor)
  const summary = `section[data-code]`
  await page.goto(`${visitor.origin}/app/live/jobs/${jobId}`)
  const frameMs = await untilShown(page, 'h1')
  const summaryMs = await untilShown(page, summary)
  await page.waitForTimeout(SETTLE_MS)
  const { firstContentMs, longTasks, layoutShift } = await readObserved(page)
  const blocking = (from: number) =>
    longTasks.filter(({ startTime }) => startTime >= from).reduce((sum, { duration }) => sum + duration - 50, 0)
  const overview = 'nav a[href$="/app/live"]'
  const job = `a[href$="${jobId}"]`
  // The first change loads the overview.
  await changeRoute(page, overview, job)
  await changeRoute(page, job, summary)
  const toOverviewMs = await changeRoute(page, overview, job)
  const toJobMs = await changeRoute(page, job, summary)
  await page.context().close()
  return {
    'first content ms': Math.round(firstContentMs),
    'navigation and title ms': Math.round(frameMs),
    'job summary readable ms': Math.round(summaryMs),
    'blocking time ms': Math.round(blocking(firstContentMs)),
    'blocking time before the first content ms': Math.round(blocking(0) - blocking(firstContentMs)),
    'layout shift': Number(layoutShift.toFixed(3)),
    'route change to the overview ms': Math.round(toOverviewMs),
    'route change to a job ms': Math.round(toJobMs),
  }
}

async function openSlowPage(visitor: Visitor): Promise<Page> {
  const context = await visitor.newContext()
  const page = await context.newPage()
  await page.addInitScript(observe)
  const session = await context.newCDPSession(page)
  const line = { downloadThroughput: BYTES_PER_SECOND, uploadThroughput: BYTES_PER_SECOND, latency: LATENCY_MS }
  await session.send('Network.emulateNetworkConditions', { offline: false, ...line })
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  return page
}

/** Runs in the page, before its own scripts. */
function observe(): void {
  const observed: Observed = { firstContentMs: Number.NaN, longTasks: [], layoutShift: 0 }
  const on = (type: string, add: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type, buffered: true })
  on('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') observed.firstContentMs = startTime
  })
  on('longtask', ({ startTime, duration }) => observed.longTasks.push({ startTime, duration }))
  on('layout-shift', (entry) => {
    const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
    if (!hadRecentInput) observed.layoutShift += value
  })
  Object.assign(globalThis, { observed })
}

async function readObserved(page: Page): Promise<Observed> {
  await page.waitForFunction(() => (globalThis as unknown as { observed: Observed }).observed.firstContentMs > 0)
  return await page.evaluate(() => (globalThis as unknown as { observed: Observed }).observed)
}

/** @returns milliseconds since the navigation began, after the paint. */
const untilShown = (page: Page, selector: string) => page.evaluate(paintedAt, { selector })

/** @returns milliseconds from the click to the paint. */
async function changeRoute(page: Page, link: string, selector: string): Promise<number> {
  const anchor = page.locator(link).first()
  await anchor.waitFor({ state: 'attached' })
  const clickedAt = page.evaluate(
    (link) =>
      new Promise<number>((resolve) =>
        document.querySelector(link)?.addEventListener('click', ({ timeStamp }) => resolve(timeStamp), { once: true }),
      ),
    link,
  )
  const shownAt = page.evaluate(paintedAt, { selector, isNew: true })
  await anchor.dispatchEvent('click')
  const ms = (await shownAt) - (await clickedAt)
  await page.waitForTimeout(500)
  return ms
}

/** Runs in the page. `isNew`: elements that match already do not count. */
function paintedAt({ selector, isNew = false }: { selector: string; isNew?: boolean }): Promise<number> {
  const before = isNew ? document.querySelector(selector) : null
  return new Promise((resolve) => {
    const check = () => {
      const found = document.querySelector(selector)
      if (!found || found === before) return
      observer.disconnect()
      // The message is handled after the frame has been painted.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => resolve(performance.now())
        port2.postMessage(undefined)
      })
    }
    const observer = new MutationObserver(check)
    observer.observe(document, { childList: true, subtree: true })
    check()
  })
}
