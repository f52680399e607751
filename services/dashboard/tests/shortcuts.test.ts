import { newJob } from '@platen/test/api/installation.ts'
import { expect } from 'vitest'
import { browserTest, findTestPrinter, visit } from './browser.ts'

browserTest('failed jobs are looked through by keys, beside the list and on their pages', async () => {
  const { page, organization, open } = await visit()
  const { testApi } = organization
  const printerId = await findTestPrinter(testApi)
  const [older, newer] = [
    await testApi.createJob(newJob(printerId, { title: 'Older [fail]' })),
    await testApi.createJob(newJob(printerId, { title: 'Newer [fail]' })),
  ]
  const isShown = (id: string) => page.waitForURL(`**/jobs/${id}`)
  await open('/jobs', 'test')
  const link = (id: string) => page.locator(`tr[data-job="${id}"] a`)
  await link(newer.id).focus()
  await page.keyboard.press('Space')
  const panel = page.getByRole('region', { name: 'Job beside the list' })
  await panel.getByRole('heading', { name: 'Printed or not: unknown' }).waitFor()
  await page.getByLabel('Source').pressSequentially('j')
  await panel.focus()
  await panel.getByRole('link', { name: 'Newer' }).waitFor()
  await page.keyboard.press('j')
  await panel.getByRole('link', { name: 'Older' }).waitFor()
  await page.keyboard.press('Escape')
  await page.locator(`tr[data-job="${older.id}"] a:focus`).waitFor()
  await panel.waitFor({ state: 'detached' })
  await page.locator(`tr[data-job="${newer.id}"] td`).last().click()
  await panel.getByRole('link', { name: 'Newer' }).waitFor()
  await page.keyboard.press('Escape')
  await link(older.id).focus()

  await page.keyboard.press('Enter')
  await isShown(older.id)
  await page.getByRole('link', { name: 'Previous job' }).waitFor()
  await page.keyboard.press('k')
  await isShown(newer.id)
  await page.getByRole('link', { name: 'Next job' }).waitFor()
  await page.keyboard.press('x')
  await page.getByRole('status').filter({ hasText: 'The job has ended.' }).waitFor()
  await page.keyboard.press('Alt+j')
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  expect(await help.getByRole('term').allInnerTexts()).toEqual(['Ctrl K', '?', 'j', 'r', 'x', 'c', 'p'])
  await page.keyboard.press('j')
  await help.getByLabel('Use shortcuts of one key').uncheck()
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await help.getByLabel('Use shortcuts of one key').check()
  expect(page.url()).toContain(newer.id)
  await page.keyboard.press('Escape')
  await page.keyboard.press('r')
  await page.getByRole('dialog', { name: 'Print again?' }).waitFor()
})
