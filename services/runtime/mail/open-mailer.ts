/** Sends e-mails by SMTP. If no server is configured, writes each to a file in a directory, or logs its subject. */
import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { type CheckedMailer, type Mail, MailFailure } from './mailer.ts'
import type { MailSettings, SmtpServer } from './settings.ts'

/** For the whole transmission including DNS. */
const DEADLINE_MS = 30_000

/** Mails never include content of files or URLs. */
const NO_EXTERNAL_CONTENT = { disableFileAccess: true, disableUrlAccess: true }

export interface MailerOptions {
  clock: Clock
  log: Logger
  /** Cancels a running transmission. */
  stopping: AbortSignal
  deadlineMs?: number
}

const NO_TLS =
  ': the server offers no STARTTLS, or it failed. Use a server with TLS, or add ?tls=optional to PLATEN_SMTP_URL if its network is trusted and the URL has no password'

const NOT_SENT = 'not sent, because PLATEN_SMTP_URL is not set'

/** Loaded with the first mail, because it takes 6 MB. */
const loadNodemailer = () => import('nodemailer')

export function openMailer({ from, to }: MailSettings, options: MailerOptions): CheckedMailer {
  if (!to) return logMailer(options)
  return 'directory' in to ? directoryMailer(to.directory, from, options) : smtpMailer(to, from, options)
}

function smtpMailer(
  server: SmtpServer,
  from: string,
  { stopping, deadlineMs = DEADLINE_MS }: MailerOptions,
): CheckedMailer {
  const { host, port, secure, requireTls, auth } = server
  const open = async () => {
    const { createTransport } = await loadNodemailer()
    const credentials = auth && { auth }
    const bounds = { connectionTimeout: deadlineMs, ...NO_EXTERNAL_CONTENT }
    return createTransport({ host, port, secure, requireTLS: requireTls, ...credentials, ...bounds })
  }
  return {
    async send(mail) {
      const transport = await open()
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(deadlineMs)])
      await transport.sendMail({ ...toMessage(mail, from), signal }).catch((error: unknown) => {
        throw toFailure('sending the mail', error)
      })
    },
    async check() {
      const transport = await open()
      await transport.verify().catch((error: unknown) => {
        throw toFailure(`connecting to ${host}`, error)
      })
      return `SMTP server ${host}`
    },
  }
}

function logMailer({ log }: MailerOptions): CheckedMailer {
  return {
    async send({ id, subject }) {
      log.warn({ mail_id: id, subject }, 'e-mail not sent, because PLATEN_SMTP_URL is not set')
    },
    check: async () => NOT_SENT,
  }
}

function directoryMailer(directory: string, from: string, { clock }: MailerOptions): CheckedMailer {
  return {
    async send(mail) {
      const { createTransport } = await loadNodemailer()
      const options = { streamTransport: true, buffer: true, newline: 'windows', ...NO_EXTERNAL_CONTENT } as const
      const transport = createTransport(options)
      const { message } = await transport.sendMail({ ...toMessage(mail, from), date: clock.now() })
      if (!Buffer.isBuffer(message)) throw new Error('a mail has no bytes')
      await writeMail(directory, `${clock.now().toISOString().replaceAll(/[-:.]/g, '')}-${mail.id}.eml`, message)
    },
    check: async () => NOT_SENT,
  }
}

function toMessage({ id, to, subject, text }: Mail, from: string) {
  const [, host = 'localhost'] = /@([^\s<>]+)/.exec(from) ?? []
  return {
    from,
    // An object, because a string could contain several addresses.
    to: { name: '', address: to },
    subject: subject.replaceAll(/\p{Cc}+/gu, ' '),
    text,
    messageId: `<${id}@${host}>`,
    // Suppresses automatic replies. Source: RFC 3834.
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

/** Writes atomically: the directory contains only complete mails, also after a crash. */
async function writeMail(directory: string, name: string, bytes: Buffer): Promise<void> {
  const part = join(directory, `.${name}.${randomBytes(4).toString('hex')}`)
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const file = await open(part, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(part, join(directory, name))
  } catch (error) {
    // Ignores a second failure in a directory that is not writable.
    await rm(part, { force: true }).catch(() => undefined)
    throw new MailFailure(`writing to the mailbox directory failed (${getCode(error)})`)
  }
}

/** Includes only the status code of the response, because its text can contain the address. */
function toFailure(step: string, error: unknown): MailFailure {
  const response = error instanceof Error && 'responseCode' in error ? `, server response ${error.responseCode}` : ''
  const code = getCode(error)
  const remedy = code === 'ETLS' ? NO_TLS : ''
  return new MailFailure(`${step} failed (${code}${response})${remedy}`)
}

function getCode(error: unknown): string {
  if (!(error instanceof Error)) throw error
  return 'code' in error ? String(error.code) : error.name
}
