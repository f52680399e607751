import { newJob } from '@platen/test/api/installation.ts'
import { browserTest, findTestPrinter, visit } from './browser.ts'

browserTest(
  'Ctrl K finds a job by its number or title from any page, and pages and actions by their names',
  async () => {
    const { page, organization, open } = await visit()
    const { testApi } = organization
    const printerId = await findTestPrinter(testApi)
    const job = await testApi.createJob(newJob(printerId, { title: 'Label 4711 [fail]' }))
    await open('/printers', 'test')
    await page.getByRole('heading', { name: 'Printers', level: 1 }).waitFor()
    const dialog = page.getByRole('dialog', { name: 'Search' })
    const field = dialog.getByRole('combobox')
    const options = dialog.getByRole('option')
    for (const text of [`#${job.number}`, '4711', 'label 4']) {
      await page.keyboard.press('Control+k')
      await field.fill(text)
      await options
        .filter({ hasText: 'Label 4711' })
        .filter({ hasText: `#${job.number}` })
        .waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL(`**/test/jobs/${job.id}`)
    }
    await page.getByRole('button', { name: 'Search' }).click()
    await field.fill('no such job')
    await dialog.getByRole('status').filter({ hasText: 'No job, page or action matches.' }).waitFor()
    await field.fill('comp')
    await options.filter({ hasText: 'Add a computer' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/test/computers')
    await page.keyboard.press('Control+k')
    await options.filter({ hasText: 'Print a document' }).click()
    await page.waitForURL('**/test/print**')
  },
)
