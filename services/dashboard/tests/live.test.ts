import { admin, newJob } from '@platen/test/api/installation.ts'
import type { BrowserContext, Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import { addSession, BASE_URL, browserTest, findTestPrinter, visit } from './browser.ts'

const rows = (page: Page) => page.locator('tr[data-job]')

/**
 * Playwright keeps every tab visible and cannot hide one, so the page gets the event that another tab in front would
 * cause.
 */
async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((isHidden) => {
    Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true })
    Object.defineProperty(document, 'visibilityState', { value: isHidden ? 'hidden' : 'visible', configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, isHidden)
}

/**
 * @returns the requests of the feed that have no answer yet. Each holds one of the six connections that browsers permit
 *   to a host.
 */
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

browserTest(
  'eight visible windows hold one connection for events, and another one follows when its window is closed',
  async () => {
    const { page, context, organization, open } = await visit()
    const printerId = await findTestPrinter(organization.testApi)
    const polls = watchPolls(context)
    await open('/jobs?state=all', 'test')
    const windows = [page]
    while (windows.length < 8) {
      const next = await context.newPage()
      await next.goto(page.url())
      await next.locator('[data-live="live"]').waitFor()
      windows.push(next)
    }
    // The request of a closed window has no end.
    const count = () => [...polls].filter((poll) => !poll.frame().page().isClosed()).length
    await expect.poll(count).toBe(1)
    const showAll = async (title: string) => {
      const { id } = await organization.testApi.createJob(newJob(printerId, { title }))
      for (const one of windows) await one.locator(`tr[data-job="${id}"]`).filter({ hasText: 'done' }).waitFor()
      expect(count()).toBeLessThanOrEqual(1)
    }
    await showAll('In all windows')
    const [poll] = polls
    const holder = windows.find((one) => one === poll?.frame().page())
    expect(holder).toBeDefined()
    windows.splice(windows.indexOf(holder as Page), 1)
    await holder?.close()
    await expect.poll(count).toBe(1)
    await showAll('After the end of a window')
  },
)

browserTest('an address without a mode leads to that of the last page, or to live mode', async () => {
  const { page, open } = await visit()
  await page.goto(`${BASE_URL}/app/jobs?state=all`)
  await page.waitForURL(`${BASE_URL}/app/live/jobs?state=all`)
  await open('/printers', 'test')
  await page.getByRole('heading', { name: 'Printers' }).waitFor()
  await page.goto(`${BASE_URL}/app/jobs`)
  await page.waitForURL(`${BASE_URL}/app/test/jobs`)
})

browserTest('a tab acts in the organization that it shows, or not at all', async () => {
  const { page, context, open, expectError } = await visit()
  const other = await visit({ isSignedIn: false })
  expectError(/status of 403/)
  await open('/keys')
  await page.getByRole('button', { name: 'Create a key' }).click()
  await page.getByLabel('Name').fill('Till 7')
  // Another user signs in in another tab, which the feed does not notice first.
  await page.route('**/v1/events?*', () => undefined)
  await addSession(context, other.email)
  // Nothing of the first user stays in memory.
  const reloaded = page.waitForEvent('domcontentloaded')
  await page.getByRole('button', { name: 'Create key' }).click()
  await reloaded
  await page.getByRole('complementary').getByText(other.email).waitFor()
  await page.goto(`${BASE_URL}/app/live/keys`)
  await page.locator('tr[data-key]').first().waitFor()
  expect(await page.locator('tr[data-key]').filter({ hasText: 'Till 7' }).count()).toBe(0)
})

browserTest('a page without a mode keeps feed, cache and focus, and an open page follows a lowered role', async () => {
  const { page, organization, email, open, expectError } = await visit()
  expectError(/status of 403/)
  const requests: string[] = []
  await open('/jobs?state=all')
  await page.getByText('No print jobs in live mode').waitFor()
  // The page Usage loads the names of the printers.
  const names = page.waitForResponse((response) => new URL(response.url()).pathname === '/v1/printers')
  await page.getByRole('link', { name: 'Usage' }).click()
  await page.getByRole('heading', { name: 'Usage' }).waitFor()
  await page.locator('main:focus').waitFor()
  await names
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await page.getByRole('heading', { name: 'Jobs' }).waitFor()
  await page.locator('main:focus').waitFor()
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await page.getByText('No print jobs in live mode').waitFor()
  expect(requests.filter((path) => path === '/v1/printers')).toEqual([])

  await page.getByRole('link', { name: 'Test', exact: true }).click()
  await page.getByRole('link', { name: 'Printers' }).click()
  const enabled = page.getByRole('switch').first()
  await enabled.waitFor()
  await admin('users', 'add', '--org', organization.id, '--email', email, '--role', 'member')
  // A replica caches a role for up to 5 s.
  const getRole = () =>
    page.evaluate(async () => (await (await fetch('/account/session')).json()).organizations[0].role)
  await expect.poll(getRole).toBe('member')
  await enabled.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Disable' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => enabled.getAttribute('aria-disabled')).toBe('true')
})
