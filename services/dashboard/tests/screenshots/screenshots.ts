/** Takes the pictures that the documentation shows: `npm run screenshots`. */
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Organization, openOrganization } from '@platen/test/api/installation.ts'
import type { Page } from 'playwright-core'
import { inject } from 'vitest'
import { BASE_URL, browserTest, visit } from '../browser.ts'
import { createUnprintedJobs, expectExplained, getExpiredJob, type UnprintedJob } from '../unprinted-jobs.ts'
import { setAges } from './set-ages.ts'

const DIRECTORY = join(import.meta.dirname, '../../../../docs/images')

/** The quality of WebP: text stays sharp, and a page has about 30 KB. */
const QUALITY = 80

const DESKTOP = { width: 1280, height: 800 }
/** The navigation needs it. */
const HEIGHT_MIN = 560

async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForFunction(() => !document.querySelector('.spinner'))
  // The long poll of the feed never ends, so there is no idle network to wait for: the last requests of a page follow
  // its first content.
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

/** Minutes since the creation of each job. A stopped printer ends its job after 15 minutes. */
const JOB_AGES: Record<string, number> = {
  expired: 560,
  'cancelled-by-key': 151,
  'cancelled-by-user': 146,
  'computer-offline': 134,
  'printer-disabled': 127,
  'agent-killed': 83,
  'dead-url': 71,
  'format-not-supported': 52,
  'option-dropped': 38,
  'test-mode-fail': 35,
  'out-of-paper': 12,
  'queue-stopped': 9,
  'behind-other-jobs': 3,
  'not-acknowledged': 2,
}

/** Minutes since the last change of a computer or printer. The others are online since the morning. */
const DEVICE_AGES: Record<string, number> = {
  'Packing-3': 160,
  Warehouse: 83,
  'Night-desk': 565,
  'Label 1': 127,
  Office: 9,
}
const MORNING = 480

async function makeOlder({ id, api }: Organization, jobs: UnprintedJob[]): Promise<void> {
  const list = async (path: string) => (await api.get(`${path}?limit=100`)).body.data
  const devices = [...(await list('/v1/computers')), ...(await list('/v1/printers'))]
  const ages = new Map<string, number>(devices.map((device) => [device.id, DEVICE_AGES[device.name] ?? MORNING]))
  // The job before the one that waits behind it.
  for (const job of await list('/v1/printjobs')) ages.set(job.id, 4)
  for (const job of jobs) ages.set(job.id, JOB_AGES[job.name] ?? 0)
  await setAges(id, ages)
}

browserTest('pictures of the dashboard', async () => {
  const organization = await openOrganization(inject('expiring').organizationId, 'Shop')
  const { page, context, expectError } = await visit({ organization, email: 'kim@corner-shop.example' })
  await page.setViewportSize(DESKTOP)
  const expired = getExpiredJob()
  await expectExplained(page, expired)
  const jobs = [...(await createUnprintedJobs({ page, organization })), expired]
  await makeOlder(organization, jobs)
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
  await removeOthers(['jobs-all', 'signin', ...jobs.map(({ name }) => `why-${name}`)])
})

/** Pictures of labels and receipts, which others take, are PNG. */
async function removeOthers(names: string[]): Promise<void> {
  const taken = new Set(names.map((name) => `${name}.webp`))
  for (const file of await readdir(DIRECTORY))
    if (file.endsWith('.webp') && !taken.has(file)) await rm(join(DIRECTORY, file))
}
