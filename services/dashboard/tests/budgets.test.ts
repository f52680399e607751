import { newEndpoint } from '@platen/test/api/hooks.ts'
import { installation, newJob } from '@platen/test/api/installation.ts'
import type { Page, Response } from 'playwright-core'
import { expect } from 'vitest'
import { BUDGETS } from '../build/budgets.ts'
import { BASE_URL, browserTest, findTestPrinter, visit } from './browser.ts'

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

browserTest(
  'each list, the overview, a job and an endpoint get their content with 8 requests, of which 4 are of the API',
  async () => {
    const { page, organization, open } = await visit()
    const measured = await measure(page)
    const job = await organization.testApi.createJob(newJob(await findTestPrinter(organization.testApi)))
    const { id: endpointId } = await newEndpoint(organization.testApi, ['printjob.error'])
    const pages = {
      '': ['/account/overview'],
      '/printers': ['/v1/printers', '/account/devices'],
      '/computers': ['/v1/computers', '/account/devices'],
      '/webhooks': ['/v1/webhooks'],
      [`/webhooks/${endpointId}`]: [`/v1/webhooks/${endpointId}`],
      [`/jobs/${job.id}`]: [`/v1/printjobs/${job.id}/explanation`],
    }
    for (const [path, content] of Object.entries(pages)) {
      // Ends the requests of the page before.
      await page.goto('about:blank')
      const requests = measured.requestsUntil(content)
      await open(path, 'test')
      const sent = await requests
      expect(sent.length, `${path}: ${sent}`).toBeLessThanOrEqual(8)
      expect(sent.filter((one) => !one.startsWith('/app')).length, `${path}: ${sent}`).toBeLessThanOrEqual(4)
      expect(sent).toEqual(expect.arrayContaining(['/account/session', '/v1/events', ...content]))
    }
    // A part of the last page, which is a job, is loaded after its content.
    await page.getByRole('region', { name: 'Details' }).waitFor()
    await measured.readBytes()
  },
)

browserTest('the sign-in page loads its form and nothing of the application', async () => {
  const { page } = await visit({ isSignedIn: false })
  const { requests, readBytes } = await measure(page)
  await page.goto(`${BASE_URL}/app/signin`)
  await page.getByLabel('Email').waitFor()
  const bytes = await readBytes()
  expect(bytes.script).toBeGreaterThan(10_000)
  expect(bytes.script).toBeLessThanOrEqual(BUDGETS.signIn)
  // The page, its styles, its script and Preact.
  expect(requests).toHaveLength(4)
})

browserTest('the first preview of a PDF stays within its budget', async () => {
  const { page, open } = await visit()
  const sizes: number[] = []
  page.on('response', (response) => {
    if (!/\/assets\/pdf[-.]/.test(response.url())) return
    void response.allHeaders().then((headers) => sizes.push(Number(headers['content-length'])))
  })
  await open('/print', 'test')
  await page.getByRole('button', { name: 'Sample letter' }).click()
  await page.locator('canvas[data-drawn=true]').waitFor()
  // The chunk and its two workers.
  await expect.poll(() => sizes.length).toBe(3)
  expect(sizes.reduce((total, size) => total + size)).toBeLessThanOrEqual(BUDGETS.preview)
})

interface Measured {
  /** Paths, in their order, without the poll that waits for events. */
  requests: string[]
  /** @returns those of the next page until the answers with its content. */
  requestsUntil(content: string[]): Promise<string[]>
  /** The bytes of gzip. */
  readBytes(): Promise<{ script: number; stylesheet: number }>
}

/** Watches what a page requests. Its sizes are those of gzip, which browsers ask for without TLS. */
async function measure(page: Page): Promise<Measured> {
  const requests: string[] = []
  const bytes = { script: 0, stylesheet: 0 }
  const pending: Promise<void>[] = []
  const toPath = (url: string) => new URL(url).pathname
  page.on('request', (request) => {
    const path = toPath(request.url())
    // An event of the new organization that arrives meanwhile makes the page read once more.
    const isRepeated = path === '/v1/events' && requests.includes(path)
    if (!isRepeated && !new URL(request.url()).searchParams.has('wait')) requests.push(path)
    const type = request.resourceType()
    if (type !== 'script' && type !== 'stylesheet') return
    const add = async () => {
      // The browser reports it later than the page uses it.
      const response = await request.response()
      // The page was left before.
      if (!response || (await response.finished())) return
      bytes[type] += (await request.sizes()).responseBodySize
    }
    pending.push(add())
  })
  await page.setExtraHTTPHeaders({ 'accept-encoding': 'gzip' })
  return {
    requests,
    async requestsUntil(content) {
      requests.length = 0
      const expected = new Set(content)
      const { promise, resolve } = Promise.withResolvers<string[]>()
      const onResponse = (response: Response) => {
        expected.delete(toPath(response.url()))
        if (expected.size === 0) resolve([...requests])
      }
      page.on('response', onResponse)
      return await promise.finally(() => page.off('response', onResponse))
    },
    async readBytes() {
      await Promise.all(pending)
      return bytes
    },
  }
}
