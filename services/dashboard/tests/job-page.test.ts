import { openOrganization } from '@platen/test/api/installation.ts'
import { expect, inject } from 'vitest'
import { browserTest, visit } from './browser.ts'
import { createUnprintedJobs } from './unprinted-jobs.ts'

browserTest('the page of a job says whether there is paper, why, and what to do', { timeout: 120_000 }, async () => {
  const visitor = await visit({ organization: await openOrganization(inject('expiring').organizationId) })
  const { page, open } = visitor
  for (const { name, id, mode, headline, cause, nextSteps } of await createUnprintedJobs(visitor)) {
    await open(`/jobs/${id}`, mode)
    const summary = page.getByRole('region', { name: 'Explanation' })
    const steps = summary.getByRole('list', { name: 'Next steps' }).getByRole('listitem')
    // Also of jobs that expire, or fail by an attempt, while the page is open.
    await summary.getByRole('paragraph').filter({ hasText: cause }).waitFor({ timeout: 70_000 })
    const shown = { headline: await summary.getByRole('heading').textContent(), nextSteps: await steps.allInnerTexts() }
    expect({ name, ...shown }).toEqual({ name, headline, nextSteps })
  }
})

browserTest('a page offers a reload when the gateway serves another build', async () => {
  const { page, open } = await visit()
  await open('/jobs')
  await page.getByText('Nothing needs attention').waitFor()
  const session = await page.evaluate(async () => (await fetch('/account/session')).json())
  await page.route('**/account/session', (route) => route.fulfill({ json: { ...session, build: 'next' } }))
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
  await page.getByText('A new version of the dashboard is available').waitFor()
})
