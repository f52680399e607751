import { newJob } from '@platen/test/api/installation.ts'
import type { Api } from '@platen/test/harness/api.ts'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { browserTest, findTestPrinter, go, visit } from './browser.ts'

/** @returns the id. A title with `[fail]` fails. */
async function createJob(api: Api, title: string, changes: object = {}): Promise<string> {
  const printerId = await findTestPrinter(api)
  return (await api.createJob(newJob(printerId, { title, ...changes }))).id
}

const rows = (page: Page) => page.locator('tr[data-job]')

browserTest('list and page of a job show the same state, without a reload', async () => {
  const { page, context, organization, open } = await visit()
  await open('/jobs?state=all', 'test')
  await page.getByText('No print jobs in test mode').waitFor()
  const id = await createJob(organization.testApi, 'Invoice 7')
  await rows(page).filter({ hasText: 'Invoice 7' }).waitFor()
  const other = await context.newPage()
  await other.goto(page.url().replace('/jobs?state=all', `/jobs/${id}`))
  await Promise.all([
    rows(page).filter({ hasText: 'done' }).waitFor(),
    other.locator('[data-state="done"]').first().waitFor(),
    other.locator('section[data-code="done"]').waitFor(),
  ])
})

browserTest('a failed request for jobs is shown as a failure, and never as an empty list', async () => {
  const { page, open, expectError } = await visit()
  expectError(/answer 503|status of 503/)
  const failure = { error: { code: 'service_unavailable', message: 'Try again later.', request_id: 'request-1' } }
  await page.route('**/v1/printjobs?*', (route) => route.fulfill({ status: 503, json: failure }))
  await open('/jobs?state=all')
  const alert = page.getByRole('alert')
  await alert.waitFor()
  expect(await alert.textContent()).toMatch(/could not be loaded[\s\S]*Try again later[\s\S]*request-1/)
  expect(await page.locator('[data-empty]').count()).toBe(0)
  await page.unroute('**/v1/printjobs?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.locator('[data-empty]').waitFor()
})

browserTest(
  'a double click on "Print again" creates one job, which points to its original, and whose row says that it is a reprint',
  async () => {
    const { page, organization, open } = await visit()
    const failed = await createJob(organization.testApi, 'Once [fail]')
    await open(`/jobs/${failed}`, 'test')
    await page.locator('section[data-code]').getByRole('button', { name: 'print again' }).dblclick()
    await page.waitForURL((url) => !url.pathname.endsWith(failed))
    const { body } = await organization.testApi.get('/v1/printjobs')
    expect(body.data).toHaveLength(2)
    await page.getByRole('link', { name: failed }).waitFor()
    await go(page, '/test/jobs?state=all')
    await expect.poll(() => page.locator('tr[data-job]').count()).toBe(2)
    expect(await page.locator('tr[data-job]', { hasText: 'reprint' }).getAttribute('data-job')).toBe(body.data[0].id)
  },
)

browserTest('the shown command is the sent request', async () => {
  const { page, organization, open } = await visit()
  const id = await createJob(organization.testApi, "It's [fail]")
  await open(`/jobs/${id}`, 'test')
  await page.getByRole('tab', { name: 'Requests' }).click()
  const shown = String(await page.locator('pre', { hasText: 'idempotency-key' }).textContent())
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await page.locator('section[data-code]').getByRole('button', { name: 'print again' }).click()
  const request = await sent
  expect(shown.toLowerCase()).toContain(`idempotency-key: ${(await request.allHeaders())['idempotency-key']}`)
  expect(shown).toContain(`'${request.postData()?.replaceAll("'", `'\\''`)}'`)
  expect(shown).toContain(request.url())
  expect(shown).not.toMatch(/cookie|platen-mode/i)
})

browserTest('a long list has few elements, keeps its place while jobs arrive, and shows them on request', async () => {
  const { page, organization, open } = await visit()
  const { api } = organization
  // Its jobs wait, and so have no further events: a tab that is behind 1,000 events loads its list again.
  const { printerId, agent } = await organization.connectAgent()
  agent.close()
  const create = (title: string) => api.post('/v1/printjobs', newJob(printerId, { title }))
  await Promise.all(Array.from({ length: 300 }, (_, n) => create(`Job ${n}`)))
  // None of them waits for long, so none is loaded.
  const lists: string[] = []
  page.on('request', (request) => new URL(request.url()).pathname === '/v1/printjobs' && lists.push(request.url()))
  await open('/jobs?from=yesterday&state=finished&printer=abc')
  await page.getByText('Nothing needs attention').waitFor()
  expect(lists).toHaveLength(2)
  // Phones show the filters below a button.
  const desktop = page.viewportSize() ?? expect.fail()
  const printers = page.getByLabel('Printer', { exact: true })
  await page.setViewportSize({ width: 390, height: 844 })
  await printers.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  await printers.waitFor()
  await page.setViewportSize(desktop)
  await open('/jobs?state=all')
  await rows(page).first().waitFor()
  await page.evaluate(() => scrollTo(0, 3_000))
  await expect.poll(async () => Number(await rows(page).first().getAttribute('data-index'))).toBeGreaterThan(50)
  const watched = page.locator(`tr[data-job="${await rows(page).nth(20).getAttribute('data-job')}"]`)
  const before = await watched.boundingBox()
  await create('Fresh')
  await page.getByRole('button', { name: '1 new' }).waitFor()
  expect(await watched.boundingBox()).toEqual(before)
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(2_500)
  await page.getByRole('button', { name: '1 new' }).click()
  await rows(page).filter({ hasText: 'Fresh' }).waitFor()
  // The last job is on the fourth page.
  await expect
    .poll(async () => {
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
      return await page.getByText('End of the list').count()
    })
    .toBe(1)
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(2_500)
})

browserTest(
  'after an outage the page catches up without a reload, and says meanwhile that it is not current',
  async () => {
    const { page, context, organization, open, expectError } = await visit()
    expectError(/ERR_INTERNET_DISCONNECTED/)
    await page.clock.install()
    await open('/jobs?state=all', 'test')
    await page.getByText('No print jobs in test mode').waitFor()
    await page.locator('[data-live="live"]').waitFor()
    await context.setOffline(true)
    // Ends a poll that is in flight, which the browser does not.
    await createJob(organization.testApi, 'At the begin of the outage')
    await page.locator('[data-live="reconnecting"]').waitFor()
    await page.clock.fastForward('01:00')
    await page.locator('[data-live]').getByText('as of').waitFor()
    await createJob(organization.testApi, 'During the outage')
    await context.setOffline(false)
    await rows(page).filter({ hasText: 'During the outage' }).waitFor()
    await page.locator('[data-live="live"]').waitFor()
  },
)

browserTest('jobs are selected with Shift, and cancelling them reports what became of each', async () => {
  const { page, organization, open } = await visit()
  const { printerId, agent } = await organization.connectAgent()
  agent.close()
  const { api } = organization
  const titles = ['Waits A', 'Waits B', 'Ended']
  for (const title of titles) await api.post('/v1/printjobs', newJob(printerId, { title }))
  await open('/jobs?state=active')
  await rows(page).nth(2).waitFor()
  const all = page.getByLabel('Select all loaded jobs')
  await all.check()
  await page.getByText('3 selected').waitFor()
  await all.uncheck()
  await page.getByLabel('Select Ended').check()
  // With those between.
  await page.getByLabel('Select Waits A').click({ modifiers: ['Shift'] })
  const { body } = await api.get('/v1/printjobs?limit=1')
  await api.post(`/v1/printjobs/${body.data[0].id}/cancel`, {})
  await rows(page).filter({ hasText: 'cancelled' }).waitFor()
  await page.getByRole('button', { name: 'Cancel jobs' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.textContent()).toMatch(/Cancel 2 of 3 live jobs\?\s*1 has ended\./)
  await dialog.getByRole('button', { name: 'Cancel jobs' }).click()
  await dialog.getByRole('button', { name: 'Close' }).waitFor()
  const items = await dialog.getByRole('listitem').allInnerTexts()
  expect(items.toSorted()).toEqual([
    expect.stringMatching(/Waits A\s+cancelled/),
    expect.stringMatching(/Waits B\s+cancelled/),
  ])
})

browserTest('a member sees why a job cannot be cancelled', async () => {
  const { page, organization, open } = await visit({ role: 'member' })
  const { printerId, agent } = await organization.connectAgent()
  agent.close()
  const { body } = await organization.api.post('/v1/printjobs', newJob(printerId, { title: 'Theirs' }))
  await open(`/jobs/${body.id}`)
  const cancel = page.getByRole('button', { name: 'Cancel', exact: true })
  await cancel.waitFor()
  expect(await cancel.getAttribute('aria-disabled')).toBe('true')
  expect(await cancel.getAttribute('title')).toBe('Only owners and admins can cancel jobs.')
})

const listChoices = (part: Locator) =>
  part
    .locator('optgroup')
    .evaluateAll((groups) => groups.map((group) => `${(group as HTMLOptGroupElement).label}: ${group.textContent}`))

browserTest(
  'a job that waits moves to an equal printer of another computer in one dialog; a form proposes no printer of several, and asks before a failure',
  async () => {
    const { page, organization, open } = await visit()
    const { api } = organization
    const [off, on] = [await organization.connectAgent(), await organization.connectAgent()]
    off.agent.close()
    const { id } = await api.createJob(newJob(off.printerId, { title: 'Label 4711' }))
    await open(`/jobs/${id}`)
    await page.getByRole('button', { name: 'Print on another printer …' }).click()
    const dialog = page.getByRole('dialog', { name: 'Print “Label 4711” on another printer' })
    await expect.poll(() => listChoices(dialog)).toEqual(['till-1 #2 (online): Bench (online)'])
    await dialog.getByLabel('Printer').selectOption('Bench (online)')
    await dialog.getByRole('button', { name: 'Print on Bench' }).click()
    await page.waitForURL((url) => !url.pathname.endsWith(id))
    const { body } = await api.get('/v1/printjobs')
    expect(body.data).toMatchObject([{ printerId: on.printerId }, { id, state: 'cancelled' }])

    const choices = ['till-1 #2 (online): Bench (online)', 'till-1 #1 (offline): Bench (computer offline)']
    await go(page, '/live/jobs')
    await page.getByRole('combobox', { name: 'Printer' }).focus()
    await expect.poll(() => listChoices(page.locator('main'))).toEqual(choices)

    await open('/print')
    await expect.poll(() => listChoices(page.locator('form'))).toEqual(choices)
    const printer = page.getByRole('combobox', { name: 'Printer' })
    expect(await printer.inputValue()).toBe('')
    await page.getByRole('button', { name: 'Sample letter' }).click()
    await printer.selectOption({ label: 'Bench (online)' })
    await page.getByText('It probably accepts only data in its own language').waitFor()
    const print = page.getByRole('button', { name: 'Print (live)' })
    expect(await print.isDisabled()).toBe(true)
    await page.getByLabel('Print it anyway').check()
    await expect.poll(() => print.isDisabled()).toBe(false)
    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByRole('button', { name: 'Sample label' }).click()
    await page.locator('[data-validation]').waitFor({ state: 'detached' })
    await print.click()
    await page.waitForURL(/\/jobs\//)
    await open('/print')
    await expect.poll(() => printer.inputValue()).toBe(on.printerId)
  },
)
