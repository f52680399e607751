/** The main tasks without a mouse. */
import { newEndpoint } from '@platen/test/api/hooks.ts'
import { newJob } from '@platen/test/api/installation.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { BASE_URL, browserTest, createCode, findTestPrinter, visit } from './browser.ts'

/** More than the elements of a page that take the focus. */
const PRESSES_MAX = 80

/** What is wrong with the focus: nothing shows it, or it is outside of the screen. */
const findFocusProblem = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement
    if (!focused || focused === document.body) return
    const name = `${focused.localName} ${focused.getAttribute('aria-label') ?? focused.textContent?.slice(0, 40)}`
    const { outlineStyle, outlineWidth } = getComputedStyle(focused)
    if (outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 2) return `no outline: ${name}`
    const { top, bottom, left, right } = focused.getBoundingClientRect()
    const isOnScreen = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth && bottom > top && right > left
    return isOnScreen ? undefined : `not on the screen: ${name}`
  })

/** Presses Tab until the element has the focus, like a person. The focus is visible at each step. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let presses = 0; presses < PRESSES_MAX; presses++) {
    await page.keyboard.press('Tab')
    expect(await findFocusProblem(page)).toBeUndefined()
    if (await target.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`Tab does not reach ${target}`)
}

browserTest('the main tasks need no mouse, and the focus is always visible', async () => {
  const { page, email, organization, open, expectError } = await visit({ isSignedIn: false })
  expectError(/status of 401/)
  const { api, testApi } = organization
  const [{ printerId, agent }, { id: endpointId }, testPrinterId] = await Promise.all([
    organization.connectAgent(),
    newEndpoint(testApi, ['printjob.error']),
    findTestPrinter(testApi),
  ])
  agent.close()
  await api.post('/v1/printjobs', newJob(printerId, { title: 'Waits' }))
  const failed = await testApi.createJob(newJob(testPrinterId, { title: 'Label 10482 [fail]' }))

  const press = async (target: Locator, key = 'Enter') => {
    await tabTo(page, target)
    await page.keyboard.press(key)
  }
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const link = (name: string | RegExp) => page.getByRole('link', { name })
  const inDialog = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true })

  // Signs in. The first field has the focus.
  await open('/jobs')
  await page.getByLabel('Email').waitFor()
  await page.keyboard.type(email)
  await press(button('Send a code'))
  await page.getByLabel('Code').waitFor()
  await page.keyboard.type(await createCode(email))
  await page.keyboard.press('Enter')

  // Skips the navigation, filters the list, and cancels a job.
  await press(link('Skip to the page'))
  await press(button('Active'))
  await press(page.locator('tr[data-job] a'))
  await press(button('Cancel'))
  await press(inDialog('Cancel the job'))
  await page.locator('section[data-code="cancelled-by"]').waitFor()

  // Disables a printer. A new page has the focus.
  await press(link('Printers'))
  await page.locator('main:focus').waitFor()
  const enabled = page.getByRole('switch')
  await press(enabled, 'Space')
  await press(inDialog('Disable'))
  await page.locator('[role=switch][aria-checked=false]').waitFor()

  // Adds a computer, up to the command.
  await press(link('Computers'))
  await press(link('Add a computer'))
  await press(button('Create a token'))
  await page.locator('pre').filter({ hasText: 'enroll' }).waitFor()

  // Creates a key, and copies it.
  await press(link('Keys'))
  await press(button('Create a key'))
  await tabTo(page, page.getByLabel('Name'))
  await page.keyboard.type('Till 7')
  await page.keyboard.press('Enter')
  await press(button('Copy key'))
  await press(inDialog('Close'))
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  // Switches the mode, and replays a delivery.
  await press(link('Test'))
  await page.locator('.test-frame').waitFor({ state: 'attached' })
  await press(link('Webhooks'))
  await press(page.getByRole('table', { name: 'Webhook endpoints' }).getByRole('link'))
  await waitFor(async () => {
    const { body } = await testApi.get(`/v1/webhooks/${endpointId}/deliveries`)
    expect(body.data).toMatchObject([{ status: 'succeeded' }])
  })
  await press(page.locator('tr[data-delivery]').getByRole('link').first())
  await press(button('Replay'))
  await expect
    .poll(async () => (await testApi.get(`/v1/webhooks/${endpointId}/deliveries`)).body.data)
    .toMatchObject([{ status: 'succeeded', attempts: 2 }])

  // Finds a failed job, and prints it again.
  await press(link('Jobs'))
  await press(page.locator(`tr[data-job="${failed.id}"] a`))
  await press(page.getByRole('region', { name: 'Explanation' }).getByRole('button', { name: 'Print again' }))
  await page.waitForURL((url) => !url.pathname.endsWith(failed.id))
  const { body } = await testApi.get('/v1/printjobs')
  expect(body.data.map(({ title }: { title: string }) => title)).toEqual([failed.title, failed.title])

  await press(button('Sign out'))
  await page.waitForURL(`${BASE_URL}/app/signin`)
})
