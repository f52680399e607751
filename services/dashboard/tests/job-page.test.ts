import { newEndpoint } from '@platen/test/api/hooks.ts'
import { newJob } from '@platen/test/api/installation.ts'
import { expect } from 'vitest'
import { browserTest, findTestPrinter, visit } from './browser.ts'
import { createUnprintedJobs, expectExplained } from './unprinted-jobs.ts'

browserTest('the page of a job says whether there is paper, why, and what to do', async () => {
  const visitor = await visit()
  for (const job of await createUnprintedJobs(visitor)) await expectExplained(visitor.page, job)
})

browserTest('the timeline has the number of webhook deliveries of each step', async () => {
  const { page, organization, open } = await visit()
  const { testApi } = organization
  await newEndpoint(testApi, ['printjob.queued', 'printjob.done'])
  const { id } = await testApi.createJob(newJob(await findTestPrinter(testApi)))
  await open(`/jobs/${id}`, 'test')
  const steps = page.getByRole('region', { name: 'Timeline' }).getByRole('listitem')
  for (const state of ['queued', 'done'])
    await steps.filter({ hasText: state }).getByText('1 of 1 webhook deliveries succeeded').waitFor()
})

browserTest('a held job is released on its page, whose metadata leads to the jobs that share it', async () => {
  const { page, organization, open } = await visit()
  const { testApi } = organization
  const printerId = await findTestPrinter(testApi)
  await testApi.createJob(newJob(printerId, { title: 'Other' }))
  const metadata = { order: '4711' }
  const { id } = await testApi.createJob(newJob(printerId, { title: 'Label', hold: true, metadata }))
  await open(`/jobs/${id}`, 'test')
  await page.getByText('The job is held until it is released.').waitFor()
  const release = page.getByRole('button', { name: 'Release' })
  await release.click()
  await page.getByText('Printed', { exact: true }).waitFor()
  expect(await release.count()).toBe(0)
  await page.getByRole('link', { name: '4711' }).click()
  await page.getByRole('button', { name: 'order 4711' }).waitFor()
  await page.getByRole('cell', { name: 'Label', exact: true }).waitFor()
  expect(await page.getByRole('cell', { name: 'Other', exact: true }).count()).toBe(0)
})

browserTest('a page offers a reload when the gateway serves another build', async () => {
  const { page, open } = await visit()
  await open('/jobs')
  await page.getByText('Nothing needs attention').waitFor()
  const session = await page.evaluate(async () => (await fetch('/account/session')).json())
  const etag = await page.evaluate(async () => (await fetch('/app')).headers.get('etag'))
  expect(etag).toContain(session.build)
  await page.route('**/account/session', (route) => route.fulfill({ json: { ...session, build: 'next' } }))
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
  await page.getByText('A new version of the dashboard is available').waitFor()
})
