import { readFile } from 'node:fs/promises'
import { newJob } from '@platen/test/api/installation.ts'
import { expect } from 'vitest'
import { browserTest, go, visit } from './browser.ts'

browserTest('Usage shows the prints by day, month, printer and key, and saves them as CSV', async () => {
  const { page, organization, open } = await visit()
  const { api, connectAgent } = organization
  const { printerId, agent } = await connectAgent()
  agent.close()
  const name = '=1+2, "Front"'
  await api.patch(`/v1/printers/${printerId}`, { displayName: name })
  for (let n = 0; n < 3; n++) await api.post('/v1/printjobs', newJob(printerId))
  // Jobs are counted within 3 s.
  await expect.poll(async () => (await api.get('/v1/statistics')).body.data[0]?.accepted).toBe(3)
  await open('', 'test')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await go(page, '/usage')
  const row = page.locator(`tr[data-group="${printerId}"]`)
  await row.getByRole('link', { name }).waitFor()
  expect(await row.getByRole('cell').allInnerTexts()).toEqual([name, '3', '0', '0'])
  for (const label of ['Prints by day', 'Prints by month']) {
    const plot = page.getByRole('figure', { name: label })
    await plot.getByText('Table').click()
    await plot.getByRole('row', { name: / 3$/ }).waitFor()
  }
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const [head, first] = (await readFile(await (await download).path(), 'utf8')).split('\r\n')
  expect(head).toBe('\ufeffmonth,printer,name,accepted,done,error,cancelled,expired')
  expect(first?.slice('2026-01,'.length)).toBe(`${printerId},"'=1+2, ""Front""",3,0,0,0,0`)
  await page.getByLabel('Group by').selectOption('API key')
  await page
    .getByRole('table', { name: 'Prints by API key' })
    .getByRole('row', { name: / 3 0 0$/ })
    .waitFor()
})
