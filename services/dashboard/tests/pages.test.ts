import { newEndpoint } from '@platen/test/api/hooks.ts'
import { newJob, type Organization } from '@platen/test/api/installation.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { BASE_URL, browserTest, findTestPrinter, visit } from './browser.ts'

/** Below `/app`, with what shows that the page is complete. */
const PAGES: [path: string, ready: string][] = [
  ['/test', 'tr[data-job]'],
  ['/test/jobs', 'tr[data-job]'],
  ['/test/jobs?state=all', 'tr[data-job]'],
  ['/test/jobs?state=cancelled', '[data-empty]'],
  ['/test/jobs/{job}', 'section[data-code]'],
  ['/test/printers', 'tr[data-printer]'],
  ['/test/printers/{printer}', 'form'],
  ['/test/computers', 'tr[data-computer]'],
  ['/test/computers/{computer}', 'dl'],
  ['/live/computers/new', 'fieldset[aria-label="System"]'],
  ['/test/webhooks', 'tbody tr'],
  ['/live/webhooks', '[data-empty]'],
  ['/test/webhooks/{webhook}', 'tr[data-delivery]'],
  ['/test/webhooks/{webhook}/deliveries/{delivery}', 'ol[aria-label="Attempts"]'],
  ['/test/events', 'li[data-event]'],
  ['/test/keys', 'tr[data-key]'],
  ['/usage', 'progress'],
  ['/settings/organization', 'form'],
  ['/settings/members', 'tr[data-member]'],
  ['/settings/sessions', 'tr[data-session]'],
  ['/settings/audit', 'tr[data-action]'],
  ['/test/print', 'form'],
  ['/test/start', 'ul[aria-label=Printers] li'],
]
const WIDTHS = [1280, 320]
const COLOR_SCHEMES = ['light', 'dark'] as const

const RULES = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']
/** The only ones that depend on the theme. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

async function findViolations(page: Page, runOnly = RULES) {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    (runOnly) => (globalThis as unknown as { axe: typeof axe }).axe.run({ runOnly, resultTypes: ['violations'] }),
    runOnly,
  )
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

/** Of test mode, with something on each page. */
async function fill({ testApi }: Organization): Promise<Record<string, string>> {
  const printer = await findTestPrinter(testApi)
  const endpoint = await newEndpoint(testApi, ['printjob.error'])
  const { id: job } = await testApi.createJob(newJob(printer, { title: 'Label [fail]' }))
  await testApi.waitUntilFinal(job)
  const delivery = await waitFor(async () => {
    const { body } = await testApi.get(`${endpoint.path}/deliveries?status=succeeded`)
    if (body.data.length === 0) throw new Error('nothing was delivered')
    return body.data[0].id
  })
  const { computerId: computer } = (await testApi.get(`/v1/printers/${printer}`)).body
  return { printer, job, computer, webhook: endpoint.id, delivery }
}

browserTest('no page violates a rule of accessibility or is wider than the screen', async () => {
  const { page, organization } = await visit()
  const ids = await fill(organization)
  for (const [path, ready] of PAGES) {
    await page.goto(`${BASE_URL}/app${path.replaceAll(/\{(\w+)\}/g, (_, name) => ids[name] ?? '')}`)
    await page.locator(ready).first().waitFor()
    for (const width of WIDTHS)
      for (const colorScheme of COLOR_SCHEMES) {
        await page.setViewportSize({ width, height: 800 })
        await page.emulateMedia({ colorScheme })
        const violations = await findViolations(page, colorScheme === 'light' ? RULES : COLOR_RULES)
        const overflow = Math.max(0, await page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
        const found = { path, width, colorScheme, violations, overflow }
        expect(found).toEqual({ path, width, colorScheme, violations: [], overflow: 0 })
      }
  }
})

browserTest.for(['light', 'dark'] as const)(
  'the sign-in page violates no rule of accessibility, %s',
  async (colorScheme) => {
    const { page, open, expectError } = await visit({ isSignedIn: false, colorScheme, width: 320 })
    expectError(/status of 401/)
    await open('/jobs')
    await page.getByLabel('Email').waitFor()
    expect(await findViolations(page)).toEqual([])
  },
)
