import { browserTest, visit } from './browser.ts'

browserTest('a page whose script is gone after an upgrade offers to reload, and other pages still open', async () => {
  const { page, open, expectError } = await visit()
  expectError(/Failed to load resource/)
  expectError(/dynamically imported module/)
  const scripts = '**/assets/*-page-*.js'
  await page.route(scripts, (route) => route.fulfill({ status: 404 }))
  await open('/jobs', 'test')
  const failure = page.getByRole('heading', { name: 'This page could not be loaded' })
  await page.getByRole('link', { name: 'Keys' }).click()
  await failure.waitFor()
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await page.getByRole('heading', { name: 'Jobs' }).waitFor()
  await page.getByRole('link', { name: 'Usage' }).click()
  await failure.waitFor()
  await page.unroute(scripts)
  await page.getByRole('button', { name: 'Reload' }).click()
  await page.getByRole('heading', { name: 'Usage' }).waitFor()
})
