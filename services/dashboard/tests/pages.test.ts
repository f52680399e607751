import { newJob } from '@platen/test/api/installation.ts'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { browserTest, findTestPrinter, visit } from './browser.ts'

/** With what shows that the page is complete. */
const PAGES: [path: string, ready: string][] = [
  ['', 'h1'],
  ['/jobs', 'tr[data-job]'],
  ['/jobs?state=all', 'tr[data-job]'],
  ['/jobs?state=cancelled', '[data-empty]'],
  ['/jobs/{job}', 'section[data-code]'],
  ['/print', 'form'],
  ['/start', 'ul[aria-label=Printers] li'],
]
const WIDTHS = [1280, 320]

async function findViolations(page: Page) {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] }),
  )
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

browserTest.for(['light', 'dark'] as const)(
  'no page violates a rule of accessibility or is wider than the screen, %s',
  async (colorScheme) => {
    const { page, organization, open } = await visit({ colorScheme })
    const { testApi } = organization
    const job = newJob(await findTestPrinter(testApi), { title: 'Label [fail]' })
    const { body } = await testApi.post('/v1/printjobs', job)
    await testApi.waitUntilFinal(body.id)
    for (const width of WIDTHS)
      for (const [path, ready] of PAGES) {
        await page.setViewportSize({ width, height: 800 })
        await open(path.replace('{job}', body.id), 'test')
        await page.locator(ready).first().waitFor()
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        expect({ path, width, violations: await findViolations(page), overflow: Math.max(0, overflow) }).toEqual({
          path,
          width,
          violations: [],
          overflow: 0,
        })
      }
  },
)

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
