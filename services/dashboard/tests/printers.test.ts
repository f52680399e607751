import { newJob } from '@platen/test/api/installation.ts'
import { expect } from 'vitest'
import { BASE_URL, browserTest, findTestPrinter, visit } from './browser.ts'

browserTest('a save of a printer sends only the changed fields', async () => {
  const { page, organization, open } = await visit()
  const { testApi } = organization
  const id = await findTestPrinter(testApi)
  await open('/printers', 'test')
  await page.getByRole('link', { name: /A4/ }).click()
  await page.getByLabel('Name', { exact: true }).fill('Back office')
  await page.getByLabel('Sides').selectOption('both, long edge')
  await page.getByLabel('Jobs expire after').fill('3600')
  await page.getByRole('button', { name: 'Add a paper' }).click()
  await page.getByLabel('Paper 1: name').fill('Delivery note')
  await page.getByLabel('Paper 1: width in mm').fill('210')
  await page.getByLabel('Paper 1: height in mm').pressSequentially('148.5')
  // Another user changes another field meanwhile, which appears in the form.
  await testApi.patch(`/v1/printers/${id}`, { remarks: 'Refill tray 2' })
  await expect.poll(() => page.getByLabel('Remarks').inputValue()).toBe('Refill tray 2')
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Continue editing' }).click()
  const sent = page.waitForRequest((request) => request.method() === 'PATCH')
  await page.getByRole('button', { name: 'Save' }).click()
  expect((await sent).postDataJSON()).toEqual({
    displayName: 'Back office',
    defaultExpireAfter: 3600,
    defaultOptions: { duplex: 'long-edge' },
    customPapers: [{ name: 'Delivery note', width: 2100, height: 1485 }],
  })
  await page.getByRole('heading', { name: 'Back office' }).waitFor()
  const { body } = await testApi.get(`/v1/printers/${id}`)
  expect(body).toMatchObject({ displayName: 'Back office', remarks: 'Refill tray 2', enabled: true })

  await testApi.waitUntilFinal((await testApi.createJob(newJob(id))).id)
  const statistics = `/v1/statistics?interval=hour&printerId=${id}`
  await expect.poll(async () => (await testApi.get(statistics)).body.data[0]?.done).toBe(1)
  await page.reload()
  const printed = page.getByRole('figure', { name: 'Printed by hour' })
  await printed.getByText('Table').click()
  await printed.getByRole('row', { name: / 1$/ }).waitFor()
  expect(await printed.getByRole('row').count()).toBe(1 + 24)
  await open('/printers', 'test')
  await page.getByRole('row', { name: /Back office Virtual test computer .*– (now|\d+ (s|min) ago)$/ }).waitFor()
})

browserTest(
  'the page of a printer shows its queue in order and live, and ends all jobs after a confirmation',
  async () => {
    const { page, organization, open } = await visit()
    const { api } = organization
    const { printerId, computerId, agent } = await organization.connectAgent()
    agent.close()
    for (const title of ['First', 'Second']) await api.createJob(newJob(printerId, { title }))
    await open('/printers')
    const row = page.locator(`tr[data-printer="${printerId}"]`)
    // No job was printed.
    await expect.poll(() => row.textContent()).toMatch(/2–$/)
    await row.getByRole('switch').click()
    await page
      .getByRole('dialog', { name: 'Disable the live printer Bench?' })
      .getByRole('button', { name: 'Disable' })
      .click()
    await expect.poll(() => row.getByRole('switch').getAttribute('aria-checked')).toBe('false')
    await row.getByRole('switch').click()
    await expect.poll(() => row.getByRole('switch').getAttribute('aria-checked')).toBe('true')
    await page.getByRole('link', { name: 'Bench' }).click()
    const queue = page.getByRole('table', { name: 'Queue' }).locator('tr[data-job]')
    await expect
      .poll(() => queue.allInnerTexts())
      .toEqual([expect.stringMatching(/1.*First/s), expect.stringMatching(/2.*Second/s)])
    await api.createJob(newJob(printerId, { title: 'Third' }))
    await queue.filter({ hasText: 'Third' }).waitFor()
    const states = page.getByRole('table', { name: 'States' }).getByRole('row')
    await states.filter({ hasText: /unknown.*now.*computer till-1 offline/ }).waitFor()
    await page.getByRole('button', { name: 'Cancel all jobs' }).click()
    const dialog = page.getByRole('dialog', { name: 'Cancel all live jobs of Bench?' })
    await dialog.getByRole('button', { name: 'Cancel all jobs' }).click()
    await page.getByText('No job waits or prints.').waitFor()
    const recent = page.getByRole('table', { name: 'Recent jobs' }).locator('tr[data-job]')
    await expect.poll(() => recent.filter({ hasText: 'cancelled' }).count()).toBe(3)
    // The overview and a link by id lead to the computer.
    await page.goto(`${BASE_URL}/app/live`)
    await page.getByText('Computer till-1 has been offline').waitFor()
    await page.goto(`${BASE_URL}/app/go/${computerId}`)
    await page.waitForURL(`${BASE_URL}/app/live/computers/${computerId}`)
    await page.getByRole('heading', { name: 'till-1' }).waitFor()
  },
)

browserTest('a member sees why a printer cannot be changed', async () => {
  const { page, organization, open } = await visit({ role: 'member' })
  await open(`/printers/${await findTestPrinter(organization.testApi)}`, 'test')
  await page.getByText('Only owners and admins can change printers.').waitFor()
  expect(await page.getByLabel('Name', { exact: true }).isDisabled()).toBe(true)
  expect(await page.getByRole('switch').getAttribute('aria-disabled')).toBe('true')
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByText('Only owners and admins can see webhook endpoints').waitFor()
})
