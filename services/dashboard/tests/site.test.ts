/**
 * The documentation in Chromium. `visit` fails a test on a violation of the policy, a request to another host, and an
 * error in the console.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installation } from '@platen/test/api/installation.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { collectPages, ROOT, readContents, toMarkdown } from '../../../docs/site/collect-pages.ts'
import { BASE_URL, browserTest, visit } from './browser.ts'

const { baseUrl } = installation.credentials
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const collected = collectPages()

/** A first start builds the site after the services. */
beforeAll(async () => {
  await waitFor(async () => expect((await fetch(`${baseUrl}/docs/llms.txt`)).status).toBe(200))
})

/** It waits for the shell of the site, which runs after the scripts have started. */
async function openSite(path: string): Promise<Page> {
  const { page } = await visit({ isSignedIn: false })
  await page.goto(`${BASE_URL}/docs/${path}`)
  return page
}

browserTest('the first page leads to pages of each reader, and the version is that of the installation', async () => {
  const page = await openSite('')
  for (const reader of ['Integrators', 'Administrators of computers', 'Operators', 'Contributors'])
    await page.locator('#VPSidebarNav').getByRole('heading', { name: reader, exact: true }).waitFor()
  await page.getByRole('banner').getByRole('link', { name: version, exact: true }).waitFor()
  await page.locator('#VPSidebarNav').getByRole('link', { name: 'Webhooks', exact: true }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/docs/webhooks')
})

browserTest('the search finds the section of a word, and leads to it', async () => {
  const page = await openSite('agent')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByPlaceholder('Search').fill('media-empty')
  await page.getByRole('option').filter({ hasText: 'State reasons' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'State reasons' }).waitFor()
})

browserTest('the operations are a page of the documentation, and the anchor of a rule leads to its text', async () => {
  const page = await openSite('')
  await page.getByRole('banner').getByRole('link', { name: 'Operations' }).click()
  await page.getByText('Create a print job').first().waitFor()
  expect(new URL(page.url()).pathname).toBe('/docs/openapi/')
  await page.goto(`${BASE_URL}/docs/reference/errors#error.402.quota_exceeded`)
  await expect
    .poll(() => page.locator('[id="error.402.quota_exceeded"]').evaluate((it) => it.getBoundingClientRect().top))
    .toBeLessThan(400)
})

browserTest('examples have the address of the page, also after a link', async () => {
  const page = await openSite('agent')
  await page.getByText(`export PLATEN_URL=${BASE_URL}`).first().waitFor()
  await page.locator('.vp-doc a[href*="/agent-packages"]').first().click()
  await page.getByText(`curl -fsSL ${BASE_URL}/agents/install.sh`).first().waitFor()
  expect(await page.getByText('https://print.example.com/agents').count()).toBe(0)
  await page.goto(`${BASE_URL}/docs/clients`)
  await page.getByText(`npm install ${BASE_URL}/clients/platen-sdk-`).first().waitFor()
})

test('every anchor of the reference is in the page of its file, and every page is Markdown, too', async () => {
  const get = async (path: string) => await (await fetch(`${baseUrl}/docs/${path}`)).text()
  let anchors = 0
  for (const { source, path, text } of collected.pages) {
    const markdown = await get(path)
    expect(markdown).toBe(toMarkdown(text))
    if (path.endsWith('.md') && source.startsWith('docs/reference/')) expect(markdown).not.toContain('<a id=')
    if (!source.startsWith('docs/reference/')) continue
    const html = await get(path.replace(/(index)?\.md$/, ''))
    const ids = new Set(html.match(/(?<= id=")[^"]+/g))
    const missing = (text.match(/(?<=<a id=")[^"]+/g) ?? []).filter((id) => !ids.has(id))
    expect([source, missing]).toEqual([source, []])
    anchors += text.match(/<a id="/g)?.length ?? 0
  }
  expect(anchors).toBeGreaterThan(500)
})

test('llms.txt lists each page of the table of contents', async () => {
  const list = await (await fetch(`${baseUrl}/docs/llms.txt`)).text()
  const pages = readContents(collected).flatMap(({ pages }) => pages)
  for (const { title, path } of pages) expect(list).toContain(`- [${title}](/docs/${path}): `)
  expect(pages.length).toBeGreaterThan(50)
})

test('llms-full.txt has the text of each page, and the usual paths lead to pages', async () => {
  const all = await (await fetch(`${baseUrl}/llms-full.txt`)).text()
  for (const { path, text } of collected.pages)
    expect(all).toContain(`<!-- /docs/${path} -->\n\n${toMarkdown(text).trimEnd()}\n`)
  for (const path of ['llms.txt', '.well-known/llms.txt', '.well-known/security.txt'])
    expect((await fetch(`${baseUrl}/${path}`)).status).toBe(200)
})
