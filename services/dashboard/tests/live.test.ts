import { newJob } from '@platen/test/api/installation.ts'
import type { BrowserContext, Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import { browserTest, findTestPrinter, visit } from './browser.ts'

const rows = (page: Page) => page.locator('tr[data-job]')

/** Playwright keeps every tab visible and cannot hide one, so the page gets the event that another tab in front would cause. */
async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((isHidden) => {
    Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true })
    Object.defineProperty(document, 'visibilityState', { value: isHidden ? 'hidden' : 'visible', configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, isHidden)
}

/** @returns the requests of the feed that have no answer yet. Each holds one of the six connections that browsers permit to a host. */
function watchPolls(context: BrowserContext): ReadonlySet<Request> {
  const polls = new Set<Request>()
  context.on('request', (request) => request.url().includes('wait=') && polls.add(request))
  context.on('requestfinished', (request) => polls.delete(request))
  context.on('requestfailed', (request) => polls.delete(request))
  return polls
}

browserTest('with 8 hidden tabs a ninth loads, and a tab that is shown again has missed no event', async () => {
  const { page, context, organization, open } = await visit()
  const printerId = await findTestPrinter(organization.testApi)
  const polls = watchPolls(context)
  const tabs = [page]
  await open('/jobs?state=all', 'test')
  while (tabs.length < 9) {
    const tab = tabs.at(-1) as Page
    await tab.locator('[data-live="live"]').waitFor()
    await setHidden(tab, true)
    const next = await context.newPage()
    await next.goto(page.url())
    tabs.push(next)
  }
  await (tabs.at(-1) as Page).locator('[data-live="live"]').waitFor()
  await expect.poll(() => polls.size).toBe(1)
  const { id } = await organization.testApi.createJob(newJob(printerId, { title: 'While hidden' }))
  await rows(tabs.at(-1) as Page)
    .filter({ hasText: 'done' })
    .waitFor()
  await rows(page).waitFor({ state: 'detached' })
  await setHidden(page, false)
  await page.locator(`tr[data-job="${id}"]`).filter({ hasText: 'done' }).waitFor()
})
