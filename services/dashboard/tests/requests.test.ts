import { newJob } from '@platen/test/api/installation.ts'
import { expect } from 'vitest'
import { browserTest, visit } from './browser.ts'

browserTest('a refused request is found with its reason two clicks away from any page', async () => {
  const { page, organization, open } = await visit()
  const [printer] = (await organization.api.get('/v1/printers')).body.data
  const refused = await organization.api.post('/v1/printjobs', newJob(printer?.id ?? organization.id, { content: '!' }))
  const other = (await organization.addKey('live', 'read')).api
  await other.get('/v1/printjobs?limit=0')
  const { code, message, request_id: requestId } = refused.body.error
  await open('/jobs')
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Requests' }).click()
  const row = page.locator(`tr[data-request="${requestId}"]`)
  await row.getByText(`${refused.status} ${code}`).waitFor()
  expect((await row.textContent())?.replaceAll('`', '')).toContain(message.replaceAll('`', ''))
  // The page of the keys makes one.
  await open('/keys')
  const link = page.getByRole('link', { name: /Refused requests of/ }).first()
  const key = /key=([0-9a-f-]+)/.exec((await link.getAttribute('href')) ?? '')?.[1]
  await link.click()
  await page.getByRole('button', { name: 'Remove the filter' }).waitFor()
  expect(new URL(page.url()).searchParams.get('key')).toBe(key)
  await page.locator('tr[data-request]').first().waitFor()
  expect(await page.locator('tr[data-request]').count()).toBe(1)
})
