import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSmtpServer } from '@platen/test/harness/smtp-server.ts'
import { createTestClock } from '@platen/test/harness/test-clock.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import type { SMTPServerOptions } from 'smtp-server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createLogger } from '../../log.ts'
import { type Mail, MailFailure } from '../../mail/mailer.ts'
import { openMailer } from '../../mail/open-mailer.ts'
import { MAIL_VARIABLES, mailSettings } from '../../mail/settings.ts'
import { CERTIFICATE, CERTIFICATE_KEY } from '../certificate.ts'

const MAIL: Mail = { id: 'notice-1', to: 'ann@example.com', subject: 'Grüße', text: 'Line one ✓\nLine two\n' }

const logged: string[] = []
const log = createLogger('webhooks', 'info', { write: (line: string) => void logged.push(line) })

const toSettings = (env: Record<string, string>) =>
  mailSettings(z.object(MAIL_VARIABLES).parse({ PLATEN_MAILBOX_DIR: '/nowhere', ...env }))

function mailerTo(address: string | number, { stopping = new AbortController().signal, deadlineMs = 20_000 } = {}) {
  const url = typeof address === 'number' ? `smtp://127.0.0.1:${address}` : address
  const settings = toSettings({ PLATEN_SMTP_URL: url, PLATEN_MAIL_FROM: 'Platen <print@example.org>' })
  return openMailer(settings, { clock: createTestClock(), log, stopping, deadlineMs })
}

const refusal = (responseCode: number) => Object.assign(new Error('no'), { responseCode })
type Done = (error: Error) => void

describe('by SMTP', () => {
  test('a mail arrives once, in UTF-8, for its recipient, with a Message-ID that a retry repeats', async () => {
    const { port, received } = await startSmtpServer()
    await mailerTo(port).send(MAIL)
    expect(received).toMatchObject([{ from: 'print@example.org', to: ['ann@example.com'] }])
    const source = received[0]?.source ?? ''
    expect(source).toContain('Message-ID: <notice-1@example.org>')
    expect(source).toContain('From: Platen <print@example.org>')
    expect(source).toContain('Auto-Submitted: auto-generated')
    expect(source).toContain('charset=utf-8')
    expect(source).toMatch(/Line one =E2=9C=93\r\nLine two/)
  })

  test('the credentials of the URL are sent to the server', async () => {
    const seen: unknown[] = []
    const { port, received } = await startSmtpServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _, done) {
        seen.push([username, password])
        done(null, { user: username })
      },
    })
    await mailerTo(`smtp://print%40example.org:p%3Ass@127.0.0.1:${port}`).send(MAIL)
    expect(seen).toEqual([['print@example.org', 'p:ss']])
    expect(received).toHaveLength(1)
  })

  test('a server with an untrusted certificate gets nothing', async () => {
    const { port, received } = await startSmtpServer({ secure: true, key: CERTIFICATE_KEY, cert: CERTIFICATE })
    await expect(mailerTo(`smtps://127.0.0.1:${port}`).send(MAIL)).rejects.toThrow(MailFailure)
    expect(received).toEqual([])
  })

  // The address is 127.0.0.1, but not to the settings.
  test('a server of a network gets a mail without TLS only if the URL permits it', async () => {
    const { port, received } = await startSmtpServer()
    const url = `smtp://[::ffff:127.0.0.1]:${port}`
    await expect(mailerTo(url).send(MAIL)).rejects.toThrow(/no STARTTLS.* add \?tls=optional to PLATEN_SMTP_URL/)
    expect(received).toEqual([])
    await mailerTo(`${url}?tls=optional`).send(MAIL)
    expect(received).toHaveLength(1)
  })

  test.each<[string, SMTPServerOptions]>([
    ['connection', { onConnect: (_: unknown, done: Done) => done(refusal(421)) }],
    ['recipient', { onRcptTo: (_: unknown, __: unknown, done: Done) => done(refusal(550)) }],
    ['sender', { onMailFrom: (_: unknown, __: unknown, done: Done) => done(refusal(451)) }],
    ['password', { allowInsecureAuth: true, onAuth: (_: unknown, __: unknown, done: Done) => done(refusal(535)) }],
  ])('a refused %s is a failure with its code and without the mail or the password', async (what, options) => {
    const { port } = await startSmtpServer(options)
    const credentials = what === 'password' ? 'printer:secret-1@' : ''
    const failure = await mailerTo(`smtp://${credentials}127.0.0.1:${port}`)
      .send(MAIL)
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(MailFailure)
    const { message } = failure as MailFailure
    expect(message).toMatch(/server response (421|550|451|535)/)
    expect(message).not.toMatch(/ann|example|Grüße|Line|printer|secret/)
  })

  test('a server that does not answer is abandoned at the deadline and when the process stops', async () => {
    let closed = 0
    const { port, connections } = await startSmtpServer({ onConnect: () => undefined, onClose: () => void closed++ })
    await expect(mailerTo(port, { deadlineMs: 1_000 }).send(MAIL)).rejects.toThrow(MailFailure)
    await waitFor(() => expect([connections(), closed]).toEqual([1, 1]))
    const stop = new AbortController()
    const sending = mailerTo(port, { stopping: stop.signal, deadlineMs: 60_000 }).send(MAIL)
    await waitFor(() => expect(connections()).toBe(2))
    stop.abort()
    await expect(sending).rejects.toThrow(MailFailure)
  })

  test('a check names the server if it accepts the password, and fails otherwise', async () => {
    const { port } = await startSmtpServer({
      allowInsecureAuth: true,
      onAuth: ({ password }, _, done) => (password === 'right' ? done(null, { user: 'printer' }) : done(refusal(535))),
    })
    const check = (password: string) => mailerTo(`smtp://printer:${password}@127.0.0.1:${port}`).check()
    await expect(check('right')).resolves.toBe('SMTP server 127.0.0.1')
    await expect(check('wrong')).rejects.toThrow('connecting to 127.0.0.1 failed (EAUTH, server response 535)')
  })

  test('an unreachable server is a failure', async () => {
    const { port, server } = await startSmtpServer()
    await new Promise<void>((resolve) => server.close(() => resolve()))
    await expect(mailerTo(port).send(MAIL)).rejects.toThrow(MailFailure)
  })

  test('no part of a mail becomes a header or a recipient', async () => {
    const { port, received } = await startSmtpServer()
    const mailer = mailerTo(port)
    await mailer.send({ ...MAIL, subject: 'Hello\r\nBcc: eve@example.com\r\n\r\nbody' })
    for (const to of ['ann@example.com\r\nRCPT TO:<eve@example.com>', 'ann@example.com, eve@example.com'])
      await mailer.send({ ...MAIL, to }).catch((error: unknown) => expect(error).toBeInstanceOf(MailFailure))
    expect(received.length).toBeGreaterThan(0)
    for (const { to, source } of received) {
      expect(to).not.toContain('eve@example.com')
      expect(source).not.toMatch(/^(Bcc|RCPT)/im)
    }
  })
})

describe('into a directory', () => {
  async function openMailbox() {
    const parent = await mkdtemp(join(tmpdir(), 'platen-mailbox-'))
    onTestFinished(() => rm(parent, { recursive: true, force: true }))
    const directory = join(parent, 'mailbox')
    const clock = createTestClock(new Date('2026-01-02T03:04:05.678Z'))
    const { signal: stopping } = new AbortController()
    return {
      directory,
      clock,
      mailer: openMailer(toSettings({ PLATEN_MAILBOX_DIR: directory }), { clock, log, stopping }),
    }
  }

  test('each mail is a file that only its owner can read; the names have the order of sending', async () => {
    const { directory, clock, mailer } = await openMailbox()
    await mailer.send(MAIL)
    clock.advanceSeconds(1)
    await mailer.send({ ...MAIL, id: 'notice-0' })
    const names = (await readdir(directory)).toSorted()
    expect(names).toEqual(['20260102T030405678Z-notice-1.eml', '20260102T030406678Z-notice-0.eml'])
    const file = join(directory, names[0] ?? '')
    expect([(await stat(file)).mode & 0o777, (await stat(directory)).mode & 0o777]).toEqual([0o600, 0o700])
    const source = await readFile(file, 'utf8')
    expect(source).toContain('To: ann@example.com\r\n')
    expect(source).toContain('Date: Fri, 02 Jan 2026 03:04:05 +0000\r\n')
  })

  test('a directory that is not writable is a failure', async () => {
    const { directory, mailer } = await openMailbox()
    await writeFile(directory, 'a file')
    await expect(mailer.send(MAIL)).rejects.toThrow(/^writing to the mailbox directory failed/)
  })
})

describe('the settings', () => {
  test('without a server and a directory, the subject of a mail is logged, and not its address', async () => {
    logged.length = 0
    const settings = mailSettings(z.object(MAIL_VARIABLES).parse({}))
    await openMailer(settings, { clock: createTestClock(), log, stopping: new AbortController().signal }).send(MAIL)
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([{ level: 'warn', subject: MAIL.subject }])
    expect(logged.join('')).not.toContain(MAIL.to)
  })

  test('credentials are sent to a remote server only by TLS', () => {
    expect(toSettings({ PLATEN_SMTP_URL: 'smtp://a:b@mail.example.com' }).to).toEqual({
      host: 'mail.example.com',
      port: 587,
      secure: false,
      requireTls: true,
      auth: { user: 'a', pass: 'b' },
    })
    expect(toSettings({ PLATEN_SMTP_URL: 'smtps://mail.example.com' }).to).toMatchObject({
      port: 465,
      secure: true,
      requireTls: false,
      auth: undefined,
    })
    for (const host of ['127.0.0.1', 'localhost', '[::1]'])
      expect(toSettings({ PLATEN_SMTP_URL: `smtp://a:b@${host}:25` }).to).toMatchObject({ requireTls: false })
  })

  test.each([
    ['PLATEN_SMTP_URL', 'mail.example.com'],
    ['PLATEN_SMTP_URL', 'http://secret@mail.example.com'],
    ['PLATEN_SMTP_URL', 'smtp://mail.example.com/path'],
    ['PLATEN_SMTP_URL', 'smtp://secret%ZZ:b@mail.example.com'],
    ['PLATEN_SMTP_URL', 'smtp://mail.example.com?secret=1'],
    ['PLATEN_SMTP_URL', 'smtp://secret:b@mail.example.com?tls=optional'],
    ['PLATEN_MAIL_FROM', 'nobody'],
    ['PLATEN_MAIL_FROM', 'a@example.com, b@example.com'],
    ['PLATEN_MAIL_FROM', 'A\nB <a@example.com>'],
  ])('%s cannot be `%s`; the error does not contain the value', (name, value) => {
    const { error } = z.object(MAIL_VARIABLES).safeParse({ PLATEN_MAILBOX_DIR: '/nowhere', [name]: value })
    expect(error?.issues.map(({ path }) => path.join())).toEqual([name])
    expect(error?.message).not.toContain('secret')
  })
})
