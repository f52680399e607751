import { newJob } from '@platen/test/api/installation.ts'
import { expect } from 'vitest'
import { expectAccessible } from './accessibility.ts'
import { browserTest, visit } from './browser.ts'

browserTest('the overview of a new installation shows the first steps, and those that are done', async () => {
  const { page, organization, open } = await visit()
  await open('')
  const steps = page.getByRole('list', { name: 'First steps' }).getByRole('listitem')
  await expect.poll(() => steps.count()).toBe(4)
  await page.getByText('No job waits. 0 of 0 printers and 0 of 0 computers are online.').waitFor()
  expect(await steps.getByRole('link').count()).toBe(3)
  await expectAccessible(page, 'overview of a new installation')
  const { agent } = await organization.connectAgent()
  await steps.filter({ hasText: /Add a computer: done/ }).waitFor()
  await page.getByText('1 of 1 printer and 1 of 1 computer are online.').waitFor()
  agent.close()
  await steps.getByRole('link', { name: 'Print a sample' }).click()
  await page.getByRole('heading', { name: 'Your first print' }).waitFor()
})

browserTest(
  'the overview shows in words, figures and by printer what is wrong, within 4 requests for data, and follows the events',
  async () => {
    const { page, organization, open } = await visit()
    const { api, connectAgent } = organization
    const { printerId, agent } = await connectAgent()
    await api.createJob(newJob(printerId, { title: 'Printed' }))
    await expect.poll(async () => (await api.get('/v1/statistics')).body.data[0]?.done).toBe(1)
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await open('')
    const figures = page.getByRole('region', { name: 'Figures' })
    await figures.getByText('Printed today').waitFor()
    await page.getByRole('table', { name: 'Recent jobs' }).getByRole('cell', { name: 'Bench', exact: true }).waitFor()
    expect(new Set(requests.filter((path) => !path.startsWith('/app')))).toEqual(
      new Set(['/account/session', '/v1/events', '/account/overview', '/v1/printjobs']),
    )
    const plot = figures.getByRole('figure', { name: 'Printed by hour' })
    await plot.getByText('Table').click()
    await plot.getByRole('row', { name: / 1$/ }).waitFor()
    const strip = page.getByRole('figure', { name: 'Printers in the last 24 hours' })
    await strip.getByRole('img', { name: /online/ }).waitFor()
    await page.getByText('Nothing.').waitFor()

    agent.close()
    const list = page.getByRole('list', { name: 'Needs attention' })
    await list.getByText(/Computer till-\d has been offline since/).waitFor()
    await page.getByText(/0 of 1 printer and 0 of 1 computer are online/).waitFor()
    await strip.getByText('Table').click()
    await strip.getByRole('row', { name: /Bench unknown .* now/ }).waitFor()
    await expectAccessible(page, 'overview with trouble')
    await list.getByRole('link', { name: 'Show the computer' }).click()
    await page.waitForURL(/\/computers\/[^/]+$/)
  },
)
