import { newHook } from '@platen/test/api/hooks.ts'
import { newJob } from '@platen/test/api/installation.ts'
import { isSignedBy } from '@platen/test/harness/webhook-receiver.ts'
import { expect } from 'vitest'
import { browserTest, findTestPrinter, visit } from './browser.ts'

const HOSTILE = '<img src=x onerror=alert(1)> http://evil.example'

browserTest('an endpoint is created, tested, repaired and deleted; its secret is shown once', async () => {
  const { page, organization, open } = await visit()
  const hook = await newHook()
  hook.answerBy(() => ({ status: 503, body: HOSTILE }))
  await open('/webhooks', 'test')
  await page.getByText('No webhook endpoints in test mode').waitFor()
  await page.getByRole('button', { name: 'Create an endpoint' }).click()
  await page.getByLabel('URL').fill(hook.url)
  await page.keyboard.press('Escape')
  await page.getByText('Close without saving what you entered?').waitFor()
  await page.getByRole('button', { name: 'Continue editing' }).click()
  await page.getByRole('button', { name: 'Create endpoint' }).click()
  const secret = (await page.locator('[data-secret]').textContent()) ?? ''
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.getByText('You have not copied it').waitFor()
  await dialog.getByRole('button', { name: 'Close without a copy' }).click()
  await page.locator('[data-secret]').waitFor({ state: 'detached' })
  await page.getByText('delivering').waitFor()
  expect(await page.content()).not.toContain(secret)

  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.waitForURL(/\/deliveries\//)
  // Three attempts: the first one and two retries.
  await page.getByRole('listitem').filter({ hasText: 'Attempt 3' }).waitFor()
  await page.getByText('retry, answered in').first().waitFor()
  expect(await page.locator('main li').first().textContent()).toContain(HOSTILE)
  expect(await page.locator('main img').count()).toBe(0)
  expect(await page.locator('pre', { hasText: '"type": "printjob.done"' }).count()).toBe(1)
  await page.getByRole('link', { name: 'Webhooks', exact: true }).first().click()
  const health = page.getByRole('cell', { name: /^failing since .*: your server answers 503$/ })
  await health.waitFor()
  await page.goBack()
  hook.answerBy(() => 204)
  await page.getByRole('button', { name: 'Replay' }).click()
  await page.getByText('succeeded').waitFor()
  await expect.poll(() => hook.requests().some((request) => isSignedBy(request, secret))).toBe(true)

  const choose = async (action: string) => {
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('button', { name: action }).click()
  }
  await page.getByRole('link', { name: 'Endpoint' }).click()
  await choose('Rotate secret')
  await dialog.getByRole('button', { name: 'Rotate secret' }).click()
  const next = (await page.locator('[data-secret]').textContent()) ?? ''
  expect(next).not.toBe(secret)
  await dialog.getByRole('button', { name: 'Copy secret' }).click()
  await dialog.getByRole('button', { name: 'Close' }).click()

  // Answered after the endpoint is disabled, so that no attempt is recorded meanwhile.
  const refused = Promise.withResolvers<number>()
  hook.answerBy(() => refused.promise)
  const before = hook.requests().length
  const printerId = await findTestPrinter(organization.testApi)
  const { id } = await organization.testApi.createJob(newJob(printerId, { title: 'Missed' }))
  await organization.testApi.waitUntilFinal(id)
  await expect.poll(() => hook.requests().length).toBeGreaterThan(before)
  await choose('Disable')
  await dialog.getByRole('button', { name: 'Disable' }).click()
  await page.getByText('Nothing is sent').waitFor()
  refused.resolve(503)
  hook.answerBy(() => 204)
  // The figures are of all deliveries, and follow what changes them.
  const readFigure = (title: string) =>
    page.getByText(title, { exact: true }).locator('xpath=following-sibling::p').allTextContents()
  await expect.poll(() => readFigure('Failed or missed')).toEqual(['1', '50 % of 2 deliveries'])
  const plot = page.getByRole('figure', { name: 'Failed or missed by hour' })
  await plot.getByText('Table').click()
  await expect.poll(() => plot.getByRole('row', { name: /[^\d]1$/ }).count()).toBe(1)
  expect(await plot.getByRole('row').count()).toBe(1 + 24)
  await page.getByLabel('Status').selectOption('missed')
  await page.locator('tr[data-delivery]').waitFor()
  const missed = page.locator('tr[data-delivery]').getByRole('link', { name: 'Missed' })
  await missed.locator('xpath=..').filter({ hasText: 'A4' }).waitFor()
  await choose('Replay …')
  await dialog.getByRole('button', { name: 'Enable and replay' }).click()
  await page.getByRole('dialog', { name: 'Deliveries that are sent again: 1' }).getByRole('button').click()
  await page.getByLabel('Status').selectOption('succeeded')
  await expect.poll(() => page.locator('tr[data-delivery]').count()).toBe(2)
  await page.getByLabel('Time').selectOption('day')
  await page.getByRole('figure', { name: 'Succeeded by day' }).waitFor()
  expect(await readFigure('Succeeded')).toEqual(['2', '100 % of 2 deliveries'])

  // The receiver answers nothing, so the delivery stays pending.
  const answered = Promise.withResolvers<number>()
  hook.answerBy(() => answered.promise)
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.waitForURL(/\/deliveries\//)
  await page.getByRole('link', { name: 'Endpoint' }).click()
  await choose('Replay …')
  await dialog.getByText('1 is pending: Platen repeats it by itself').waitFor()
  expect(await dialog.getByLabel('pending (1)').isChecked()).toBe(true)
  expect(await dialog.getByLabel('failed (0)').isChecked()).toBe(false)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  answered.resolve(204)

  await choose('Delete')
  await dialog.getByRole('button', { name: 'Delete endpoint' }).click()
  await page.getByText('No webhook endpoints in test mode').waitFor()
})

browserTest(
  'the event feed is live, is filtered by type and by what an event is about, and shows the JSON of an event',
  async () => {
    const { page, organization, open } = await visit()
    const { testApi } = organization
    await open('/events?type=printjob.done', 'test')
    await page.getByText('No printjob.done events in test mode').waitFor()
    const printerId = await findTestPrinter(testApi)
    const { id } = await testApi.createJob(newJob(printerId, { title: 'Invoice 9' }))
    const events = page.locator('li[data-event]')
    await events.filter({ hasText: 'Invoice 9' }).waitFor()
    await page.getByRole('button', { name: /JSON of printjob.done/ }).click()
    await page.locator('pre', { hasText: `"id": "${id}"` }).waitFor()
    expect(await events.count()).toBe(1)
    await page.getByLabel('Type of event').selectOption('')
    await expect.poll(() => events.filter({ hasText: 'Invoice 9' }).count()).toBe(5)
    await expect.poll(() => events.count()).toBeGreaterThan(5)
    await page.getByRole('link', { name: 'Only events of Invoice 9' }).first().click()
    await expect.poll(() => events.count()).toBe(5)
    await page.goto(page.url().replace(/test\/events.*/, `go/${await events.first().getAttribute('data-event')}`))
    await page.waitForURL(/\/test\/events\?id=/)
    await expect.poll(() => events.count()).toBe(1)
  },
)
