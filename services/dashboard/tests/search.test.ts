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
    // The field of the list searches in the same way.
    await page.getByRole('link', { name: 'Jobs', exact: true }).first().click()
    const jobs = page.getByLabel('Search all jobs')
    await jobs.fill('4711')
    await jobs.press('Enter')
    await page.locator(`[data-job="${job.id}"]`).waitFor()
    await jobs.fill('no such job')
    await jobs.press('Enter')
    await page.getByText('No job matches “no such job”').waitFor()
    await page.getByRole('button', { name: 'Show all jobs' }).click()
    await page.locator(`[data-job="${job.id}"]`).waitFor()
    await page.getByRole('button', { name: 'Search', exact: true }).click()
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
