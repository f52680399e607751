/**
 * The dashboard in a browser, for a user of a new organization. Every test fails on an error in the console, an
 * unhandled rejection, a violation of the policy of the page, a request to another host, and an answer with 5xx that it
 * did not expect.
 */
import { admin, installation, newOrganization, type Organization } from '@platen/test/api/installation.ts'
import type { Api } from '@platen/test/harness/api.ts'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { chromiumPath, launchChromium, signIn, toPageOrigin } from './chromium.ts'

export const browserTest = test.skipIf(!chromiumPath)

export const BASE_URL = toPageOrigin(installation.credentials.baseUrl)

/**
 * The browser of this worker, which ends it. The files of a worker share this module, so hooks of it would belong to
 * the first file only.
 */
let browser: Promise<Browser> | undefined

export type Role = 'owner' | 'admin' | 'member'
export type Mode = 'live' | 'test'

export interface Visit {
  organization: Organization
  email: string
  context: BrowserContext
  page: Page
  /** @param path below the mode: "/jobs". */
  open(path: string, mode?: Mode): Promise<void>
  /** An error of the console that the test causes. */
  expectError(pattern: RegExp): void
}

interface VisitOptions {
  role?: Role
  width?: number
  colorScheme?: 'light' | 'dark'
  /** False: without a session. */
  isSignedIn?: boolean
  /** Default: a new one. */
  email?: string
  /** Default: a new one. */
  organization?: Organization
}

let users = 0

/** A browser of its own, closed after the test. */
export async function visit(options: VisitOptions = {}): Promise<Visit> {
  const { role = 'owner', width = 1280, colorScheme = 'light', isSignedIn = true } = options
  browser ??= launchChromium()
  const organization = options.organization ?? (await newOrganization())
  const email = options.email ?? `user-${process.pid}-${++users}@example.com`
  await admin('users', 'add', '--org', organization.id, '--email', email, '--role', role)
  const context = await (await browser).newContext({
    viewport: { width, height: 800 },
    colorScheme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
  })
  context.setDefaultTimeout(15_000)
  const problems: string[] = []
  const expected: RegExp[] = []
  onTestFinished(async () => {
    await context.close()
    expect(problems.filter((problem) => !expected.some((pattern) => pattern.test(problem)))).toEqual([])
  })
  await watch(context, problems)
  if (isSignedIn) await addSession(context, email)
  const page = await context.newPage()
  return {
    organization,
    email,
    context,
    page,
    expectError: (pattern) => void expected.push(pattern),
    open: async (path, mode = 'live') => void (await page.goto(`${BASE_URL}/app/${mode}${path}`)),
  }
}

async function watch(context: BrowserContext, problems: string[]): Promise<void> {
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`policy violation: ${violatedDirective} ${blockedURI}`),
    )
    addEventListener('unhandledrejection', ({ reason }) => console.error(`unhandled rejection: ${reason}`))
  })
  context.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`)
  })
  context.on('weberror', (error) => problems.push(`error: ${error.error()}`))
  context.on('request', (request) => {
    const { protocol, host } = new URL(request.url())
    if (protocol.startsWith('http') && host !== new URL(BASE_URL).host)
      problems.push(`request to another host: ${request.url()}`)
  })
  context.on('response', (response) => {
    if (response.status() >= 500) problems.push(`answer ${response.status()}: ${response.url()}`)
  })
}

export async function addSession(context: BrowserContext, email: string): Promise<void> {
  await signIn(context, installation.credentials.baseUrl, await createCode(email))
}

export async function createCode(email: string): Promise<string> {
  return (await admin('users', 'sign-in-code', email)).code
}

/**
 * Goes on like a link, because a new document would load and compile everything again.
 *
 * @param path below `/app`: "/test/jobs".
 */
export async function go(page: Page, path: string): Promise<void> {
  if (page.url().startsWith(`${BASE_URL}/app/`))
    await page.evaluate((path) => history.pushState({}, '', path), `/app${path}`)
  else await page.goto(`${BASE_URL}/app${path}`)
}

/** @returns a virtual printer that prints PDFs, of test mode. */
export async function findTestPrinter(api: Api): Promise<string> {
  const { body } = await api.get('/v1/printers')
  return body.data.find(({ name }: { name: string }) => name.includes('A4')).id
}
