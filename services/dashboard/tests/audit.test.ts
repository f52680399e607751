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
  const refused = await Promise.all(
    Array.from({ length: PAGE_SIZE + 1 }, () => organization.api.request('DELETE', path)),
  )
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([404]))
  await page.goto(`${BASE_URL}/app/settings/audit?action=deleteWebhook`)
  await page.locator('tr[data-action="deleteWebhook"]').first().waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export JSONL' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('audit.jsonl')
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\n')
  const entries = lines.map((line) => JSON.parse(line))
  expect(new Set(entries.map(({ requestId }) => requestId)).size).toBe(PAGE_SIZE + 1)
  expect(new Set(entries.map(({ action, outcome }) => `${action} ${outcome}`))).toEqual(
    new Set(['deleteWebhook not_found']),
  )
})

browserTest('an action without an outcome is shown as "outcome unknown"', async () => {
  const { page } = await visit()
  await page.route('**/account/audit?*', async (route) => {
    const body = await (await route.fetch({ url: toLoopback(route.request().url()) })).json()
    const entries = body.data.map((entry: object) => ({ ...entry, outcome: null }))
    await route.fulfill({ json: { ...body, data: entries } })
  })
  await page.goto(`${BASE_URL}/app/settings/audit`)
  await page.locator('tr[data-action="finishSignIn"]').getByText('outcome unknown').waitFor()
})
