import { expect } from 'vitest'
import { browserTest, findTestPrinter, visit } from './browser.ts'

browserTest('an owner changes the default alert, adds one for a printer on its page, and deletes both', async () => {
  const { page, open, organization, email } = await visit()
  await open('/alerts')
  const offline = page.locator('tr[data-alert="computer_offline"]')
  await offline.filter({ hasText: '30 min' }).waitFor()
  await page.getByText(`Their e-mails go to ${email}`).waitFor()
  await page.getByRole('note').getByText('This installation has no mail server').waitFor()
  await offline.getByRole('button', { name: 'Change' }).click()
  await page.getByLabel('After minutes').fill('45')
  await page.getByRole('button', { name: 'Save alert' }).click()
  await offline.filter({ hasText: '45 min' }).waitFor()
  for (const kind of ['computer_offline', 'endpoint_failing', 'endpoint_disabled']) {
    const row = page.locator(`tr[data-alert="${kind}"]`)
    await row.getByRole('button', { name: 'Delete' }).click()
    await row.waitFor({ state: 'detached' })
  }
  await page.getByText('You have no alerts in live mode').waitFor()

  await open(`/printers/${await findTestPrinter(organization.testApi)}`, 'test')
  const name = await page.getByLabel('Name', { exact: true }).inputValue()
  await page.getByRole('button', { name: 'Alert me …' }).click()
  expect(await page.getByLabel('When').locator('option').count()).toBe(4)
  await page.getByLabel('When').selectOption('A job fails')
  await page.getByRole('button', { name: 'Add alert' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Alerts' }).click()
  const failed = page.locator('tr[data-alert="job_failed"]')
  await failed.filter({ hasText: name }).waitFor()
  await page.getByRole('button', { name: 'Add an alert' }).click()
  await page.getByLabel('When').selectOption('A printer is offline')
  await page.getByRole('button', { name: 'Add alert' }).click()
  await page.locator('tr[data-alert="printer_offline"]').filter({ hasText: 'everywhere' }).waitFor()
  await failed.getByRole('button', { name: 'Delete' }).click()
  await failed.waitFor({ state: 'detached' })
})
