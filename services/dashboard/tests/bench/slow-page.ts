/** A page of Chromium on a slow computer and line. */
import type { BrowserContext, Page } from 'playwright-core'

const CPU_SLOWDOWN = 4
const BYTES_PER_SECOND = 1_600_000 / 8
const LATENCY_MS = 150
export const LINE = `CPU ${CPU_SLOWDOWN} times slower, 1.6 Mbit/s, ${LATENCY_MS} ms`

/** Chromium's figures of a page, collected by `observe`. */
interface Observed {
  firstContentMs: number
  longTasks: { startTime: number; duration: number }[]
  layoutShift: number
}

/** @param context a new one, with nothing in its cache. */
export async function openSlowPage(context: BrowserContext): Promise<Page> {
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

export async function readObserved(page: Page): Promise<Observed> {
  await page.waitForFunction(() => (globalThis as unknown as { observed: Observed }).observed.firstContentMs > 0)
  return await page.evaluate(() => (globalThis as unknown as { observed: Observed }).observed)
}

/** @returns milliseconds since the navigation began, after the paint. */
export const untilShown = (page: Page, selector: string) => page.evaluate(paintedAt, { selector })

/** @returns milliseconds from the click to the paint. */
export async function changeRoute(page: Page, link: string, selector: string): Promise<number> {
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
