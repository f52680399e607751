import { newEndpoint } from '@platen/test/api/hooks.ts'
import { newJob, type Organization } from '@platen/test/api/installation.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectAccessible, NARROW } from './accessibility.ts'
import { BASE_URL, browserTest, findTestPrinter, go, visit } from './browser.ts'

interface PageCase {
  /** Below `/app`. */
  path: string
  /** Shows that the page is complete. */
  ready: string
  /** The buttons that open its dialogs. One that needs a selection begins with its checkbox. */
  dialogs?: string[][]
}

const PAGES: PageCase[] = [
  { path: '/test', ready: 'tr[data-job]' },
  { path: '/test/jobs?state=cancelled', ready: '[data-empty]' },
  {
    path: '/test/jobs/{job}',
    ready: 'section[data-code]',
    dialogs: [['Print again'], ['Keyboard shortcuts'], ['Search']],
  },
  { path: '/test/jobs', ready: 'tr[data-job]', dialogs: [['Select all loaded jobs', 'Cancel jobs']] },
  { path: '/test/printers', ready: 'tr[data-printer]' },
  {
    path: '/test/printers/{printer}',
    ready: 'form',
    dialogs: [['Print a test page'], ['Add to a computer'], ['Cancel all jobs'], ['Alert me …']],
  },
  { path: '/test/destinations', ready: 'tr[data-destination]', dialogs: [['Create a destination']] },
  {
    path: '/test/destinations/{destination}',
    ready: 'tr[data-printer]',
    dialogs: [['Add to a computer'], ...['Edit', 'Delete'].map((action) => ['Actions', action])],
  },
  { path: '/test/webhooks', ready: 'tr:has-text("failing since")', dialogs: [['Create an endpoint']] },
  {
    path: '/test/webhooks/{webhook}',
    // The plots are loaded after the list.
    ready: 'figure',
    dialogs: ['Rotate secret', 'Replay …', 'Edit', 'Disable', 'Delete'].map((action) => ['Actions', action]),
  },
  { path: '/test/webhooks/{webhook}/deliveries/{delivery}', ready: 'ol[aria-label="Attempts"]' },
  { path: '/test/events', ready: 'li[data-event]' },
  { path: '/test/keys', ready: 'tr[data-key]', dialogs: [['Create a key'], ['Revoke']] },
  { path: '/test/print-access', ready: 'tr[data-access]', dialogs: [['Revoke']] },
  { path: '/live/computers', ready: 'summary:has-text("1 can be used")' },
  { path: '/live/alerts', ready: 'tr[data-alert]', dialogs: [['Add an alert'], ['Change']] },
  { path: '/test/requests?key=unknown', ready: 'tr[data-request]' },
  { path: '/usage', ready: 'progress' },
  { path: '/settings/organization', ready: 'form' },
  { path: '/settings/members', ready: 'tr[data-member]', dialogs: [['Invite a member'], ['Leave']] },
  { path: '/settings/invitations', ready: '[data-empty]' },
  { path: '/settings/sessions', ready: 'tr[data-session]' },
  { path: '/settings/audit?action=finishSignIn&from=2026-01-01', ready: 'tr[data-action]' },
  { path: '/go/{unknown}', ready: '[data-empty]' },
  { path: '/nowhere', ready: 'main a[href]' },
  // The pages above have no mode. This one has a feed and a cache of its own again.
  { path: '/test/print', ready: 'form' },
  { path: '/test/start', ready: 'ul[aria-label=Printers] li' },
  { path: '/live/computers/new', ready: 'fieldset[aria-label="System"]' },
  { path: '/live/computers/{computer}/add-printer', ready: '[role=alert]' },
  { path: '/live/computers/{computer}', ready: 'tr[data-job]', dialogs: [['Delete']] },
  {
    path: '/live/jobs/{waiting}',
    ready: 'section[data-code]',
    dialogs: [['Cancel'], ['Print on another printer …']],
  },
  { path: '/live/webhooks', ready: '[data-empty]' },
]

/** Texts of others: titles, names of printers and responses to webhooks. */
const FOREIGN = '<img src=x onerror=alert(1)><script>alert(2)</script>'

/** Something for each page. */
async function fill({ api, testApi, addKey, connectAgent }: Organization): Promise<Record<string, string>> {
  const printer = await findTestPrinter(testApi)
  await testApi.patch(`/v1/printers/${printer}`, { displayName: `Printer ${FOREIGN}` })
  await testApi.post('/v1/print-access', { name: FOREIGN })
  const endpoint = await newEndpoint(testApi, ['printjob.error'], { description: FOREIGN })
  endpoint.answerBy(() => ({ status: 200, body: FOREIGN }))
  const { body: destination } = await testApi.post('/v1/destinations', { name: FOREIGN, printers: [printer] })
  const failing = await newEndpoint(testApi, ['printjob.error'])
  failing.answerBy(() => 500)
  const [{ id: job }, { computerId: computer, printerId, agent }, reader] = await Promise.all([
    testApi.createJob(newJob(printer, { title: `Label [fail] ${FOREIGN}` })),
    connectAgent(),
    addKey('test', 'read'),
  ])
  await api.post('/v1/enrollments', {})
  await reader.api.get(`/v1/printjobs?source=${encodeURIComponent(FOREIGN)}&limit=0`)
  agent.close()
  const { body: waiting } = await api.post('/v1/printjobs', newJob(printerId, { title: FOREIGN }))
  await testApi.waitUntilFinal(job)
  const delivery = await waitFor(async () => {
    const { body } = await testApi.get(`${endpoint.path}/deliveries?status=succeeded`)
    if (body.data.length === 0) throw new Error('nothing was delivered')
    return body.data[0].id
  })
  const unknown = crypto.randomUUID()
  return {
    printer,
    destination: destination.id,
    job,
    computer,
    webhook: endpoint.id,
    delivery,
    waiting: waiting.id,
    unknown,
  }
}

/** The routes of the page that is shown, and of all pages. Routes without a component lead to another one. */
const readRoutes = (page: Page) =>
  page.evaluate(() => {
    const { state, routesById } = window.__TSR_ROUTER__ ?? {}
    const isPage = (id: string) => id !== '__root__' && routesById?.[id].options.component !== undefined
    return { shown: state?.matches.at(-1)?.routeId, all: Object.keys(routesById ?? {}).filter(isPage) }
  })

async function openPage(page: Page, path: string, ready: string): Promise<void> {
  await page.locator('h1').evaluate((title) => title.setAttribute('data-left', ''))
  await go(page, path)
  await page.locator('h1:not([data-left])').waitFor()
  await page.locator(ready).first().waitFor()
}

const OPEN_DIALOG = { part: 'dialog[open]', isNarrow: true }

async function openDialog(page: Page, names: string[]): Promise<void> {
  for (const name of names) {
    const control = page.getByRole('button', { name }).or(page.getByRole('checkbox', { name }))
    await control.first().click()
  }
  await page.locator('dialog[open] button').first().waitFor()
}

async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.locator('dialog[open]').waitFor({ state: 'detached' })
}

// About 150 runs of axe.
const TIMEOUT = { timeout: 120_000 }

browserTest(
  'no page or dialog violates a rule of accessibility, is wider than the screen, or runs texts of others',
  TIMEOUT,
  async () => {
    const { page, context, organization, open, expectError } = await visit()
    // The computer is offline, so it does not search for printers. An id belongs to nothing.
    expectError(/status of (409|404)/)
    const ids = await fill(organization)
    const shown = new Set<string | undefined>()
    await open('/jobs')
    for (const { path, ready, dialogs = [] } of PAGES) {
      await openPage(
        page,
        path.replaceAll(/\{(\w+)\}/g, (_, name) => ids[name] ?? ''),
        ready,
      )
      shown.add((await readRoutes(page)).shown)
      await expectAccessible(page, path)
      expect(await page.locator('img[onerror], body script:not([src])').count()).toBe(0)
      for (const names of dialogs) {
        await openDialog(page, names)
        await expectAccessible(page, `${path}, ${names.at(-1)}`, OPEN_DIALOG)
        await closeDialog(page)
      }
    }
    const { all } = await readRoutes(page)
    expect(all.length).toBeGreaterThan(0)
    expect(all.filter((id) => !shown.has(id))).toEqual([])
    await expectAccessible(page, 'bar of narrow screens', { isNarrow: true })
    await page.setViewportSize(NARROW)
    await page.getByRole('button', { name: 'Navigation' }).click()
    await page.locator('dialog[open] nav').waitFor()
    await expectAccessible(page, 'navigation', OPEN_DIALOG)
    await closeDialog(page)

    expectError(/status of 401/)
    await context.clearCookies()
    await go(page, '/live/events')
    await page.getByRole('dialog', { name: 'You were signed out' }).waitFor()
    await expectAccessible(page, 'dialog of the sign-in', OPEN_DIALOG)
    await page.goto(`${BASE_URL}/app/signin`)
    await page.getByLabel('Email').waitFor()
    await expectAccessible(page, 'sign-in')
  },
)
