/** The mail with a sign-in code. `npm start` reads the code from its text (`deploy/print-codes.ts`). */

export interface SignInFacts {
  code: string
  browser: string
  ip: string
  requestedAt: Date
  codeMs: number
}

/** Without a link, so that a forged mail with one is noticed. The subject has no code, because it is logged. */
export function toSignInMail({ code, browser, ip, requestedAt, codeMs }: SignInFacts): {
  subject: string
  text: string
} {
  const minutes = Math.round(codeMs / 60_000)
  const requested = `${requestedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const text = `Your code is ${code}

It works for ${minutes} minutes, once, and only in the browser that requested it:

Browser:    ${browser}
Address:    ${ip}
Requested:  ${requested}

If you did not request it, ignore this e-mail. Do not give the code to
anybody.
`
  return { subject: 'Your sign-in code for Platen', text }
}
