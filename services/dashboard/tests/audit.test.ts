import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { BASE_URL, browserTest, visit } from './browser.ts'

/** Only browsers resolve the host. */
const toLoopback = (url: string) => url.replace('platen.test', '127.0.0.1')

const UNKNOWN_ID = '019a5c1e-7d11-7e55-8a42-94c1b0d7f602'
const PAGE_SIZE = 100

browserTest('the audit log is exported with the entries of all pages that match the filter', async () => {
  const { page, organization } = await visit()
  const path = `/v1/webhooks/${UNKNOWN_ID}`
  // One after the other: together they would use more units of work than an organization has.
  for (let n = 0; n <= PAGE_SIZE; n += 1)
    expect(await organization.api.request('DELETE', path)).toMatchObject({ status: 404 })
  await page.goto(`${BASE_URL}/app/settings/audit?action=deleteWebhook`)
  await page.locator('tr[data-action="deleteWebhook"]').first().waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('audit.csv')
  const [heads = [], ...rows] = (await readFile(await file.path(), 'utf8'))
    .trim()
    .split('\r\n')
    .map((line) => line.split(','))
  const entries = rows.map((cells) => Object.fromEntries(heads.map((head, n) => [head, cells[n]])))
  expect(new Set(entries.map(({ request_id }) => request_id)).size).toBe(PAGE_SIZE + 1)
  for (const entry of entries)
    expect(entry).toMatchObject({
      ...{ actor: 'npm run admin', description: 'has not deleted the webhook endpoint', target_id: UNKNOWN_ID },
      ...{ action: 'deleteWebhook', outcome: 'not_found' },
    })
})

browserTest('the audit log is filtered by days of the browser and by actions in words', async () => {
  const { page, organization } = await visit()
  await organization.api.request('DELETE', `/v1/webhooks/${UNKNOWN_ID}`)
  // In Berlin this day has 23 hours.
  const [loaded] = await Promise.all([
    page.waitForRequest(/since=/),
    page.goto(`${BASE_URL}/app/settings/audit?action=ofALaterVersion&from=2026-03-29&to=2026-03-29`),
  ])
  expect(Object.fromEntries(new URL(loaded.url()).searchParams)).toMatchObject({
    ...{ action: 'ofALaterVersion', since: '2026-03-28T23:00:00.000Z', until: '2026-03-29T22:00:00.000Z' },
  })
  await page.getByText('No entry matches the filters').waitFor()
  expect(await page.getByLabel('Action').locator('option:checked').textContent()).toBe('ofALaterVersion')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByLabel('Action').selectOption('Deleted the webhook endpoint …')
  const rows = page.locator('tr[data-action]')
  await expect.poll(() => rows.evaluateAll((all) => all.map((row) => row.dataset.action))).toEqual(['deleteWebhook'])
  await page.getByLabel('From').fill('2026-01-31')
  await page.waitForURL(/action=deleteWebhook&from=2026-01-31$/)
  await rows.first().waitFor()
  // The later choice is kept.
  await page.getByLabel('to', { exact: true }).fill('2026-01-30')
  await page.waitForURL(/action=deleteWebhook&to=2026-01-30$/)
  await page.getByText('No entry matches the filters').waitFor()
  expect(await page.getByLabel('From').inputValue()).toBe('')
  await page.setViewportSize({ width: 390, height: 800 })
  await page.getByLabel('From').waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Filters (2)' }).click()
  await page.getByLabel('From').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})

browserTest(
  'an action without an outcome is shown as "outcome unknown", and times of today with their date, old ones with their year',
  async () => {
    const { page } = await visit()
    await page.goto(`${BASE_URL}/app/settings/audit`)
    const time = page.locator('tr[data-action="finishSignIn"] time').first()
    expect(await time.textContent()).toMatch(/^\d\d? \w+, \d\d:\d\d$/)
    const at = new Date(Date.now() - 200 * 24 * 60 * 60_000).toISOString()
    await page.route('**/account/audit?*', async (route) => {
      const body = await (await route.fetch({ url: toLoopback(route.request().url()) })).json()
      const entries = body.data.map((entry: object) => ({ ...entry, at, outcome: null }))
      await route.fulfill({ json: { ...body, data: entries } })
    })
    await page.reload()
    await page.locator('tr[data-action="finishSignIn"]').getByText('outcome unknown').waitFor()
    expect(await time.textContent()).toMatch(/^\d\d? \w+ \d{4}, \d\d:\d\d$/)
  },
)
