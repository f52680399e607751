import { timestampDate } from '@bufbuild/protobuf/wkt'
import { timestamp } from '@platen/resources/fields.ts'
import { timestampToJson } from '@platen/resources/timestamp-to-json.ts'
import { z } from 'zod'
import { makeToken } from '../authentication/cookies.ts'
import { INSTALLATIONS } from '../config.ts'
import { operation } from '../operation/operation.ts'
import { limitAddress } from '../rate-limit/limit-address.ts'
import { jsonBody } from '../request/json-body-schema.ts'
import { required } from '../required.ts'
import { readBrowser } from './read-browser.ts'

const BODY = jsonBody({
  email: z
    .string()
    .trim()
    .max(254)
    .pipe(z.email({ pattern: z.regexes.html5Email, error: 'must be an e-mail address' }))
    .meta({ example: 'ann@example.com' }),
})

const ANSWER = z.object({
  expiresAt: timestamp(),
  /** Without a mail server `npm start` prints the code, and operators of other installations create one. */
  sentTo: z.enum(['mail', 'terminal']),
  /** The kind of installation whose commands the page names. */
  installation: z.enum(INSTALLATIONS).optional(),
})

export const startSignIn = operation({
  operationId: 'startSignIn',
  method: 'post',
  path: '/account/sign-in',
  scope: null,
  credential: 'none',
  tag: 'Account',
  summary: 'Request a sign-in code',
  description: 'The answer is the same for an address without access.',
  body: BODY,
  answer: { status: 202, description: 'A code is on its way, if the address has access.', schema: ANSWER },
  before: (gateway) => [limitAddress(gateway)],
  handle:
    (gateway) =>
    async ({ ctx, body: { email } }) => {
      const { accounts, cookies } = gateway
      const challenge = makeToken()
      const { expiresAt, sentTo } = await accounts.startSignIn({
        email,
        challengeSha256: challenge.sha256,
        knownBrowserSha256: cookies.knownBrowser.read(ctx),
        browser: readBrowser(ctx, gateway),
      })
      cookies.signIn.set(ctx, challenge, timestampDate(required(expiresAt)))
      return { expiresAt: timestampToJson(expiresAt), sentTo, installation: gateway.installation }
    },
})
