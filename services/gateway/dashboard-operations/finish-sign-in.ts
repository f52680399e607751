import { z } from 'zod'
import { makeToken } from '../authentication/cookies.ts'
import { toSession } from '../authentication/sessions.ts'
import { operation } from '../operation/operation.ts'
import { limitAddress } from '../rate-limit/limit-address.ts'
import { jsonBody } from '../request/json-body-schema.ts'
import { required } from '../required.ts'
import { SESSION, sessionToJson } from './get-session.ts'
import { readBrowser } from './read-browser.ts'

const BODY = jsonBody({
  code: z
    .string()
    .max(100)
    .transform(readCode)
    .refine((code) => /^([0-9A-Z]{8}|[0-9A-Z]{12})$/.test(code), 'must be 8 characters, or 12 of an operator')
    .meta({ example: 'ABCD-2345' }),
})

/** Codes have no letters that look like digits, so these are read as digits. */
function readCode(text: string): string {
  const code = text.replaceAll(/[\s-]/g, '').toUpperCase()
  return code.replaceAll('O', '0').replaceAll(/[IL]/g, '1')
}

/** The longest time for which browsers keep a cookie. */
const KNOWN_BROWSER_MS = 400 * 24 * 60 * 60_000

export const finishSignIn = operation({
  operationId: 'finishSignIn',
  method: 'post',
  path: '/account/sign-in/code',
  scope: null,
  credential: 'none',
  tag: 'Account',
  summary: 'Sign in',
  description: 'Exchanges a code for a session. A session that the browser has is replaced.',
  body: BODY,
  errors: ['sign_in_failed'],
  answer: { status: 200, description: 'The session.', schema: SESSION },
  before: (gateway) => [limitAddress(gateway)],
  handle:
    (gateway) =>
    async ({ ctx, body: { code } }) => {
      const { accounts, cookies, clock, sessions } = gateway
      const [token, browser] = [makeToken(), makeToken()]
      const replaced = cookies.session.read(ctx)
      const { session } = await accounts.finishSignIn({
        challengeSha256: cookies.signIn.read(ctx),
        code,
        sessionSha256: token.sha256,
        knownBrowserSha256: browser.sha256,
        replacedBrowserSha256: cookies.knownBrowser.read(ctx),
        replacedSessionSha256: replaced,
        browser: readBrowser(ctx, gateway),
        requestId: ctx.state.requestId,
      })
      if (replaced) sessions.delete(replaced)
      const signedIn = toSession(required(session))
      cookies.session.set(ctx, token, signedIn.expiresAt)
      cookies.knownBrowser.set(ctx, browser, new Date(clock.now().getTime() + KNOWN_BROWSER_MS))
      cookies.signIn.delete(ctx)
      return sessionToJson(signedIn, gateway)
    },
})
