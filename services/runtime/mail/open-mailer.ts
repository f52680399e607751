/** Sends e-mails by SMTP, or puts them into a directory, one file each, where nobody has named a server. */
import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import type { Clock } from '../clock.ts'
import { type Mail, type Mailer, MailFailure } from './mailer.ts'
import type { MailSettings, SmtpServer } from './settings.ts'

/** For all of it, from the look-up of the server's name on: a server that hangs holds up nobody for longer. */
const DEADLINE_MS = 30_000

/** What a mail says is ours: it names no file and no URL that should be read. */
const CLOSED = { disableFileAccess: true, disableUrlAccess: true }

export interface MailerOptions {
  clock: Clock
  /** Ends a sending that is under way. */
  stopping: AbortSignal
  deadlineMs?: number
}

export function openMailer({ from, to }: MailSettings, options: MailerOptions): Mailer {
  return 'directory' in to ? mailbox(to.directory, from, options) : smtpMailer(to, from, options)
}

function smtpMailer(server: SmtpServer, from: string, { stopping, deadlineMs = DEADLINE_MS }: MailerOptions): Mailer {
  const { host, port, secure, requireTls, auth } = server
  const transport = createTransport({ host, port, secure, requireTLS: requireTls, ...(auth && { auth }), ...CLOSED })
  return {
    async send(mail) {
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(deadlineMs)])
      await transport.sendMail({ ...messageOf(mail, from), signal }).catch((error: unknown) => {
        throw failure(error)
      })
    },
  }
}

function mailbox(directory: string, from: string, { clock }: MailerOptions): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows', ...CLOSED })
  return {
    async send(mail) {
      const { message } = await transport.sendMail({ ...messageOf(mail, from), date: clock.now() })
      if (!Buffer.isBuffer(message)) throw new Error('a mail has no bytes')
      await writeMail(directory, `${clock.now().toISOString().replaceAll(/[-:.]/g, '')}-${mail.id}.eml`, message)
    },
  }
}

function messageOf({ id, to, subject, text }: Mail, from: string) {
  const [, host = 'localhost'] = /@([^\s<>]+)/.exec(from) ?? []
  return {
    from,
    // As an object it is one address, whatever is in it.
    to: { name: '', address: to },
    subject: subject.replaceAll(/\p{Cc}+/gu, ' '),
    text,
    messageId: `<${id}@${host}>`,
    // No vacation notice comes back. Source: RFC 3834.
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

/** Whoever reads the directory sees whole mails alone, also after a crash. */
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
    // Where nothing can be written there may be nothing to remove.
    await rm(part, { force: true }).catch(() => undefined)
    throw new MailFailure(`the mailbox directory cannot be written (${codeOf(error)})`)
  }
}

/** What servers say may quote the address or more, and is left out but for its number. */
function failure(error: unknown): MailFailure {
  const answer = error instanceof Error && 'responseCode' in error ? `, the server answered ${error.responseCode}` : ''
  return new MailFailure(`the mail could not be handed over (${codeOf(error)}${answer})`)
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) throw error
  return 'code' in error ? String(error.code) : error.name
}
