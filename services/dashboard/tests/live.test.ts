import { newJob } from '@platen/test/api/installation.ts'
import type { Page } from 'playwright-core'
import { browserTest, findTestPrinter, visit } from './browser.ts'

const rows = (page: Page) => page.locator('tr[data-job]')

/** Chromium without windows shows every tab, so the page gets the event that another tab in front would cause. */
async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((isHidden) => {
    Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true })
    Object.defineProperty(document, 'visibilityState', { value: isHidden ? 'hidden' : 'visible', configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, isHidden)
}

browserTest('with 8 hidden tabs a ninth loads, and a tab that is shown again has missed no event', async () => {
  const { page, context, organization, open } = await visit()
  const printerId = await findTestPrinter(organization.testApi)
  const tabs = [page]
  await open('/jobs?state=all', 'test')
  // With more polls than the six connections of a browser to a host, the last tab would wait for 30 s.
  while (tabs.length < 9) {
    const tab = tabs.at(-1) as Page
    await tab.locator('[data-live="live"]').waitFor()
    await setHidden(tab, true)
    const next = await context.newPage()
    await next.goto(page.url())
    tabs.push(next)
  }
  const { id } = await organization.testApi.createJob(newJob(printerId, { title: 'While hidden' }))
  await rows(tabs.at(-1) as Page)
    .filter({ hasText: 'done' })
    .waitFor()
  await rows(page).waitFor({ state: 'detached' })
  await setHidden(page, false)
  await page.locator(`tr[data-job="${id}"]`).filter({ hasText: 'done' }).waitFor()
})
