import { expect } from 'vitest'
import { browserTest, visit } from './browser.ts'

browserTest('a destination is made with a standby, which prints when the first printer is off', async () => {
  const { page, organization, open } = await visit()
  const { api, connectAgent } = organization
  const agents = [await connectAgent(), await connectAgent()]
  const names = ['Kitchen printer', 'Bar printer']
  for (const [n, { printerId }] of agents.entries())
    await api.patch(`/v1/printers/${printerId}`, { displayName: names[n] })

  await open('/destinations', 'live')
  await page.getByText('No destinations in live mode').waitFor()
  await page.getByRole('button', { name: 'Create a destination' }).click()
  await page.getByLabel('Name').fill('kitchen')
  const dialog = page.getByRole('dialog')
  for (const { printerId } of agents.toReversed()) await page.getByLabel('Add a printer').selectOption(printerId)
  await page.getByRole('button', { name: 'Move Kitchen printer up' }).click()
  await page.getByLabel('Seconds until the next printer takes over').fill('0')
  await dialog.getByRole('button', { name: 'Create destination' }).click()
  const rows = page.locator('tr[data-printer]')
  await rows.filter({ hasText: 'next job' }).filter({ hasText: 'Kitchen printer' }).waitFor()
  expect(await rows.allTextContents()).toEqual([
    expect.stringMatching(/^1Kitchen printer.*available$/),
    expect.stringMatching(/^2Bar printer.*available$/),
  ])

  const print = async () => {
    await page.getByRole('link', { name: 'Print a document' }).click()
    expect(await page.getByLabel('Printer or destination').locator('option:checked').textContent()).toBe('kitchen')
    await page.getByRole('button', { name: 'Sample receipt' }).click()
    await page.getByRole('button', { name: 'Print (live)' }).click()
    const details = page.getByRole('region', { name: 'Details' })
    await details.getByRole('link', { name: 'kitchen', exact: true }).waitFor()
    await page.getByText('Printed').first().waitFor()
    return details
  }
  const details = await print()
  await details.getByRole('link', { name: 'Kitchen printer' }).waitFor()
  await details.getByRole('link', { name: 'kitchen', exact: true }).click()

  agents[0]?.agent.close()
  await rows.filter({ hasText: 'computer offline' }).filter({ hasText: 'Kitchen printer' }).waitFor()
  await rows.filter({ hasText: 'next job' }).filter({ hasText: 'Bar printer' }).waitFor()
  const elsewhere = await print()
  await elsewhere.getByRole('link', { name: 'Bar printer' }).waitFor()
})

browserTest('a destination is changed, disabled and deleted, and a deletion says how many jobs it ends', async () => {
  const { page, organization, open } = await visit()
  const { api, connectAgent } = organization
  const { printerId, agent } = await connectAgent()
  agent.close()
  const { body: destination } = await api.post('/v1/destinations', { name: 'bar', printers: [printerId] })
  const job = { destination: 'bar', title: 'Ticket', contentType: 'raw_base64', content: 'QQ==' }
  const { body: waiting } = await api.post('/v1/printjobs', job)
  await open(`/destinations/${destination.id}`, 'live')
  const choose = async (action: string) => {
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('button', { name: action }).click()
  }
  const dialog = page.getByRole('dialog')
  await choose('Edit')
  await dialog.getByLabel('Name').fill('counter')
  await dialog.getByLabel('Who prints the next job').selectOption('any')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'counter' }).waitFor()
  await page.getByText('Any available printer').waitFor()
  await choose('Disable')
  await page.getByText('It accepts no jobs').waitFor()

  await page.getByRole('link', { name: '1 job' }).click()
  await page.locator('tr[data-job]').filter({ hasText: 'Ticket' }).waitFor()
  await page.getByRole('button', { name: /^One destination/ }).waitFor()
  await page.goBack()
  await choose('Delete')
  await dialog.getByText('The job that waits ends in error').waitFor()
  await dialog.getByRole('button', { name: 'Delete destination' }).click()
  await page.getByText('No destinations in live mode').waitFor()
  expect(await api.waitUntilFinal(waiting.id)).toMatchObject({ state: 'error', stateReasons: ['destination-deleted'] })
})
