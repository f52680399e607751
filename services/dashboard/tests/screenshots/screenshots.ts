/** Takes the pictures that the documentation shows: `npm run screenshots`. */
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openOrganization } from '@platen/test/api/installation.ts'
import type { Page } from 'playwright-core'
import { inject } from 'vitest'
import { BASE_URL, browserTest, visit } from '../browser.ts'
import { createUnprintedJobs, expectExplained, getExpiredJob } from '../unprinted-jobs.ts'

const DIRECTORY = join(import.meta.dirname, '../../../../docs/images')

/** The quality of WebP: text stays sharp, and a page has about 30 KB. */
const QUALITY = 80

const DESKTOP = { width: 1280, height: 800 }
/** The navigation needs it. */
const HEIGHT_MIN = 560

async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForFunction(() => !document.querySelector('.spinner'))
  // The long poll of the feed never ends, so there is no idle network to wait for: the last requests of a page follow its first content.
  await page.waitForTimeout(700)
}

/** @returns the height of the window without the empty space below the page. */
const findHeight = (page: Page): Promise<number> =>
  page.evaluate(
    ({ min, max, margin }) => {
      const bottoms = [...document.querySelectorAll('main *')].map((element) => element.getBoundingClientRect().bottom)
      const height = Math.min(max, Math.max(min, Math.ceil(Math.max(0, ...bottoms)) + margin))
      // The end of the picture cuts no line of the navigation.
      const cut = [...document.querySelectorAll('body *')]
        .filter(({ childElementCount, textContent }) => childElementCount === 0 && textContent?.trim())
        .map((element) => element.getBoundingClientRect())
        .filter(({ top, bottom }) => top < height && bottom > height)
      return Math.floor(Math.min(height, ...cut.map(({ top }) => top)))
    },
    { min: HEIGHT_MIN, max: DESKTOP.height, margin: 24 },
  )

async function take(page: Page, name: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const clip = { x: 0, y: 0, scale: 1, width: DESKTOP.width, height: await findHeight(page) }
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY, clip })
  await session.detach()
  await writeFile(join(DIRECTORY, `${name}.webp`), Buffer.from(data, 'base64'))
}

browserTest('pictures of the dashboard', async () => {
  // Pictures of labels and receipts, which others take, are PNG.
  for (const name of await readdir(DIRECTORY)) if (name.endsWith('.webp')) await rm(join(DIRECTORY, name))
  const organization = await openOrganization(inject('expiring').organizationId, 'Shop')
  const { page, context, expectError } = await visit({ organization, email: 'kim@corner-shop.example' })
  await page.setViewportSize(DESKTOP)
  const jobs = [...(await createUnprintedJobs({ page, organization })), getExpiredJob()]
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  for (const job of jobs) {
    await expectExplained(page, job)
    await settle(page)
    await take(page, `why-${job.name}`)
  }
  await page.goto(`${BASE_URL}/app/live/jobs?state=all`)
  await settle(page)
  await take(page, 'jobs-all')
  expectError(/status of 401/)
  await context.clearCookies()
  await page.goto(`${BASE_URL}/app/signin`)
  await page.getByLabel('Email').waitFor()
  await take(page, 'signin')
})
