import { installation } from '@platen/test/api/installation.ts'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { BUDGETS } from '../build/budgets.ts'
import { BASE_URL, browserTest, visit } from './browser.ts'

browserTest(
  'the first load of the jobs list stays within its budgets of requests and bytes; all licenses are listed',
  async () => {
    const { page, open } = await visit()
    const { requests, readBytes } = await measure(page)
    await open('/jobs')
    await page.getByText('Nothing needs attention').waitFor()
    const bytes = await readBytes()
    const first = requests.slice(0, requests.indexOf('/v1/printjobs') + 1)
    expect(first.length).toBeLessThanOrEqual(8)
    expect(first.filter((path) => !path.startsWith('/app')).length).toBeLessThanOrEqual(4)
    expect(bytes.script).toBeGreaterThan(50_000)
    expect(bytes.script).toBeLessThanOrEqual(BUDGETS.shell)
    expect(bytes.stylesheet).toBeLessThanOrEqual(BUDGETS.style)
    const licenses = await fetch(`${installation.credentials.baseUrl}/app/licenses.txt`)
    expect(await licenses.text()).toMatch(/^## pdfjs-dist - .*\(Apache-2\.0\)$/m)
  },
)

browserTest('the sign-in page loads React, its form and nothing of the application', async () => {
  const { page } = await visit({ isSignedIn: false })
  const { requests, readBytes } = await measure(page)
  await page.goto(`${BASE_URL}/app/signin`)
  await page.getByLabel('Email').waitFor()
  const bytes = await readBytes()
  expect(bytes.script).toBeGreaterThan(50_000)
  expect(bytes.script).toBeLessThanOrEqual(BUDGETS.signIn)
  // The page, its styles, its script and React.
  expect(requests).toHaveLength(4)
})

browserTest('the first preview of a PDF stays within its budget', async () => {
  const { page, open } = await visit()
  const sizes: number[] = []
  const measured: Promise<unknown>[] = []
  page.on('response', (response) => {
    if (!/\/assets\/pdf[-.]/.test(response.url())) return
    measured.push(response.allHeaders().then((headers) => sizes.push(Number(headers['content-length']))))
  })
  await open('/print', 'test')
  await page.getByRole('button', { name: 'Sample letter' }).click()
  await page.locator('canvas[data-drawn=true]').waitFor()
  await Promise.all(measured)
  // The chunk and its two workers.
  expect(sizes).toHaveLength(3)
  expect(sizes.reduce((total, size) => total + size)).toBeLessThanOrEqual(BUDGETS.preview)
})

interface Measured {
  /** Paths, in their order. */
  requests: string[]
  /** Of gzip. */
  readBytes(): Promise<{ script: number; stylesheet: number }>
}

/** Watches what a page requests. Its sizes are those of gzip, which browsers ask for without TLS. */
async function measure(page: Page): Promise<Measured> {
  const requests: string[] = []
  const bytes = { script: 0, stylesheet: 0 }
  const pending: Promise<void>[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  page.on('requestfinished', (request) => {
    const type = request.resourceType()
    if (type !== 'script' && type !== 'stylesheet') return
    const add = async () => {
      bytes[type] += (await request.sizes()).responseBodySize
    }
    pending.push(add())
  })
  await page.setExtraHTTPHeaders({ 'accept-encoding': 'gzip' })
  return {
    requests,
    async readBytes() {
      await Promise.all(pending)
      return bytes
    },
  }
}
