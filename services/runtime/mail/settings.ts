/** E-mail settings, for the `config.ts` of services that send e-mails. */
import { z } from 'zod'
import { isLoopback } from '../tls.ts'

export interface SmtpServer {
  host: string
  port: number
  /** TLS from the first byte (`smtps:`). Otherwise STARTTLS if the server supports it. */
  secure: boolean
  /** Fails without STARTTLS, so that neither credentials nor sign-in codes cross a network unencrypted. */
  requireTls: boolean
  auth: { user: string; pass: string } | undefined
}

export interface MailSettings {
  from: string
  /** A server, or a directory for mails as files. Undefined: mails are only logged. */
  to: SmtpServer | { directory: string } | undefined
}

const URL_RULE =
  'must be smtp://user:password@host:port, smtps://… or, without a password, smtp://host:port?tls=optional, with special characters of user and password as %XX'

const smtpUrl = z.string().transform((text, ctx): SmtpServer => {
  const url = URL.parse(text)
  const fits = url && /^smtps?:$/.test(url.protocol) && url.hostname !== '' && /^\/?$/.test(url.pathname)
  const auth = url && parseCredentials(url)
  const isTlsOptional = url?.search === '?tls=optional' && url.protocol === 'smtp:' && auth === undefined
  if (!fits || auth === null || (url.search !== '' && !isTlsOptional) || url.hash !== '') {
    // The message does not contain the URL, which can include a password.
    ctx.addIssue({ code: 'custom', message: URL_RULE })
    return z.NEVER
  }
  const secure = url.protocol === 'smtps:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTls: !secure && !isTlsOptional && !isLoopback(host),
    auth,
  }
})

/** @returns null for an invalid percent encoding. */
function parseCredentials({ username, password }: URL): SmtpServer['auth'] | null {
  if (username === '' && password === '') return undefined
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}

/** `print@example.com`, `Platen <print@example.com>`. */
const mailFrom = z
  .string()
  .regex(
    /^([^<>@,;:"\\\p{Cc}]+ <[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/u,
    'must be an address, or `Name <address>`',
  )

export const MAIL_VARIABLES = {
  PLATEN_SMTP_URL: smtpUrl.optional(),
  PLATEN_MAIL_FROM: mailFrom.default('Platen <platen@localhost>'),
  PLATEN_MAILBOX_DIR: z.string().optional(),
}

type MailEnvironment = z.infer<z.ZodObject<typeof MAIL_VARIABLES>>

export function mailSettings(env: MailEnvironment): MailSettings {
  const { PLATEN_SMTP_URL: server, PLATEN_MAILBOX_DIR: directory, PLATEN_MAIL_FROM: from } = env
  return { from, to: server ?? (directory === undefined ? undefined : { directory }) }
}
