/**
 * `npm run bench -- dashboard`: the dashboard in Chromium, against an installation with the shipped settings. First how fast pages load on a
 * slow computer and line, with the floor of the same run, then whether the pages keep up with 200 events a second. Fails if list, page
 * and API do not agree afterwards.
 */
import { administer } from '@platen/deploy/admin/administer.ts'
import { printTable } from '@platen/test/bench/report.ts'
import { type Api, createApi } from '@platen/test/harness/api.ts'
import { makeDataDir, type Platen, removeDataDir, startPlaten } from '@platen/test/harness/platen.ts'
import type { Browser, BrowserContext } from 'playwright-core'
import { launchChromium, signIn, toPageOrigin } from '../chromium.ts'
import { measureLive } from './live.ts'
import { measureLoads } from './loads.ts'

/** An organization with an owner who is signed in in a browser. */
export interface Visitor {
  platen: Platen
  browser: Browser
  /** Of the pages: "http://platen.test:8080". */
  origin: string
  /** With all scopes, of live mode. */
  addKey(): Promise<Api>
  /** A window with the session and nothing in its cache. */
  newContext(): Promise<BrowserContext>
}

/** The limits that `npm start` and the chart ship, which the dashboard must not exceed. */
const SHIPPED_LIMITS = { PLATEN_RATE_LIMIT_PER_SECOND: '20', PLATEN_ORGANIZATION_RATE_LIMIT_PER_SECOND: '200' }

export async function benchDashboard(): Promise<void> {
  console.log('starting …')
  const dataDir = await makeDataDir()
  const platen = await startPlaten({ dataDir, env: SHIPPED_LIMITS })
  const browser = await launchChromium()
  try {
    const visitor = await createVisitor(platen, browser)
    const loads = await measureLoads(visitor)
    const live = await measureLive(visitor)
    printTable({ ...loads, ...live })
  } finally {
    await browser.close()
    await platen.stop()
    await removeDataDir(dataDir)
  }
}

async function createVisitor(platen: Platen, browser: Browser): Promise<Visitor> {
  const { baseUrl } = platen.credentials
  // biome-ignore lint/suspicious/noExplicitAny: any answer of a command
  const admin = async (...args: string[]): Promise<any> => await administer(args, { PLATEN_DATA_DIR: platen.dataDir })
  const { id } = await admin('orgs', 'create', 'Bench')
  const email = 'owner@example.com'
  await admin('users', 'add', '--org', id, '--email', email, '--role', 'owner')
  const signedIn = await browser.newContext()
  await signIn(signedIn, baseUrl, (await admin('users', 'sign-in-code', email)).code)
  const storageState = await signedIn.storageState()
  await signedIn.close()
  return {
    platen,
    browser,
    origin: toPageOrigin(baseUrl),
    async addKey() {
      const { key } = await admin('keys', 'create', '--org', id, '--mode', 'live', '--scopes', 'read,print,admin')
      return createApi(baseUrl, key)
    },
    newContext: () => browser.newContext({ storageState, viewport: { width: 1280, height: 800 } }),
  }
}
