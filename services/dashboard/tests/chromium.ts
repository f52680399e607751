/** The browser of the tests and of `npm run bench -- dashboard`. */
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'

const CANDIDATES = [process.env.PLATEN_CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome']

/** Undefined: the tests are skipped. */
export const chromiumPath = CANDIDATES.find((path) => path && existsSync(path))

/**
 * It is not `localhost`, so browsers treat the page as unencrypted, like most first installations. Pictures of the
 * documentation have `localhost`.
 */
const HOST = process.env.PLATEN_TEST_PAGE_HOST ?? 'platen.test'
const SESSION_COOKIE = 'platen_session'

/** @param baseUrl of the gateway. @returns the origin of its pages in the browser. */
export const toPageOrigin = (baseUrl: string) => `http://${HOST}:${new URL(baseUrl).port}`

export async function launchChromium(): Promise<Browser> {
  return await chromium.launch({
    executablePath: chromiumPath,
    // Tests can run as root in containers, where the sandbox of Chromium does not work.
    args: ['--no-sandbox', `--host-resolver-rules=MAP ${HOST} 127.0.0.1`],
  })
}

/** @param code of `users sign-in-code`, which works in any browser. */
export async function signIn(context: BrowserContext, baseUrl: string, code: string): Promise<void> {
  const response = await fetch(`${baseUrl}/account/sign-in/code`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: baseUrl },
    body: JSON.stringify({ code }),
  })
  if (!response.ok) throw new Error(await response.text())
  const value = new RegExp(`${SESSION_COOKIE}=([^;]+)`).exec(response.headers.getSetCookie().join('\n'))?.[1] ?? ''
  await context.addCookies([
    { name: SESSION_COOKIE, value, domain: HOST, path: '/', httpOnly: true, sameSite: 'Strict' },
  ])
}
