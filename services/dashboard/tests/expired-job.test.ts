/** A small file, which Vitest starts last: its job expires 60 s after the beginning of the run. */
import { openOrganization } from '@platen/test/api/installation.ts'
import { inject } from 'vitest'
import { browserTest, visit } from './browser.ts'
import { expectExplained, getExpiredJob } from './unprinted-jobs.ts'

browserTest('the page of an expired job says what it waited for', { timeout: 90_000 }, async () => {
  const { page } = await visit({ organization: await openOrganization(inject('expiring').organizationId) })
  await expectExplained(page, getExpiredJob())
})
