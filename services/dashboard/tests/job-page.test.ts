import { openOrganization } from '@platen/test/api/installation.ts'
import { expect, inject } from 'vitest'
import { browserTest, visit } from './browser.ts'
import { createUnprintedJobs } from './unprinted-jobs.ts'

browserTest('the page of a job says whether there is paper, why, and what to do', { timeout: 120_000 }, async () => {
  const visitor = await visit({ organization: await openOrganization(inject('expiring').organizationId, 'Shop') })
  const { page, open } = visitor
  for (const { name, id, mode, headline, cause, nextSteps } of await createUnprintedJobs(visitor)) {
    await open(`/jobs/${id}`, mode)
    const summary = page.getByRole('region', { name: 'Explanation' })
    const steps = summary.getByRole('list', { name: 'Next steps' }).getByRole('listitem')
    // The job can expire while its page is open.
    const timeout = name === 'expired' ? 70_000 : 10_000
    await summary.getByRole('paragraph').filter({ hasText: cause }).waitFor({ timeout })
    const shown = { headline: await summary.getByRole('heading').textContent(), nextSteps: await steps.allInnerTexts() }
    expect({ name, ...shown }).toEqual({ name, headline, nextSteps })
  }
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
