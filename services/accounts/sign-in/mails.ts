/**
 * The mails of sign-ins. `npm start` reads the code from the text (`deploy/launcher/print-codes.ts`). Subjects have no
 * code, because they are logged.
 */
import { toShortLine } from '@platen/runtime/mail/to-line.ts'
import { formatCode } from './codes.ts'

interface Mail {
  subject: string
  text: string
}

export interface SignInFacts {
  code: string
  browser: string
  ip: string
  requestedAt: Date
  codeMs: number
  publicUrl: string | undefined
}

/** The link has the code in its fragment, which browsers send to no server. */
export function toSignInMail({ code, browser, ip, requestedAt, codeMs, publicUrl }: SignInFacts): Mail {
  const link = publicUrl === undefined ? '' : `\nThis link fills it in:\n\n${publicUrl}/app/signin#code=${code}\n`
  const text = `Your code is ${formatCode(code)}
${link}
It works for ${Math.round(codeMs / 60_000)} minutes, once, and only in the browser that requested it:

Browser:    ${browser}
Address:    ${ip}
Requested:  ${formatTime(requestedAt)}

If you did not request it, ignore this e-mail. Do not share the code.
`
  return { subject: 'Your sign-in code for Platen', text }
}

export interface InvitationFacts {
  organizationName: string
  role: string
  invitedBy: string
  expiresAt: Date
  publicUrl: string | undefined
}

export function toInvitationMail(facts: InvitationFacts): Mail {
  const { organizationName, role, invitedBy, expiresAt, publicUrl = '' } = facts
  const text = `${invitedBy} invites you to this organization in Platen, a printing service:

Organization:  ${toName(organizationName)}
Role:          ${role}

Sign in with this e-mail address to accept or decline until ${formatTime(expiresAt)}:

${publicUrl}/app/settings/invitations

If you do not expect it, ignore this e-mail. You belong to the organization
only after you have accepted.
`
  return { subject: 'Invitation to an organization in Platen', text }
}

/** Programs make links of addresses, and a stranger has chosen the name. */
const toName = (name: string) => toShortLine(name.replace(/[.:/\\@]+/g, ' '))

const formatTime = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
