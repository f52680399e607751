/** Endpoints that keep failing, and the e-mails to their owners. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Code, ConnectError } from '@connectrpc/connect'
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { openMailer } from '@platen/runtime/mail/open-mailer.ts'
import type { MailSettings } from '@platen/runtime/mail/settings.ts'
import { startSmtpServer } from '@platen/test/harness/smtp-server.ts'
import { createTestClock } from '@platen/test/harness/test-clock.ts'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, onTestFinished, test } from 'vitest'
import { disableFailing } from '../../disable-failing.ts'
import { sendNotices } from '../../timers/send-notices.ts'
import { sweepFailing } from '../../timers/sweep-failing.ts'
import { type AddedDeliveries, DAY_MS, HOUR_MS, startTestWebhooks } from '../webhooks-world.ts'

const MINUTE_MS = 60_000
const ENDPOINT_URL = 'https://user.example.com:8443/hook/token-1?key=token-2'
const FAILING_SINCE = new Date('2026-01-02T03:04:05.678Z')

/**
 * The timers of the service with a clock and a mailbox of the test: the clock of the world does not move by days.
 *
 * @param to a mail server; default: a directory.
 */
async function startFailing({ owners = ['ann@example.com'], to = undefined as MailSettings['to'] | undefined } = {}) {
  const testing = await startTestWebhooks()
  const { world, query } = testing
  const { organization } = await world.accounts.createOrganization({ name: 'Corner shop' })
  const organizationId = organization?.id ?? ''
  const addEndpoint = async ({ url = ENDPOINT_URL, failingSince = FAILING_SINCE as Date | null } = {}) => {
    const id = uuidv7()
    await query(
      `INSERT INTO webhooks.endpoint (id, organization_id, mode, url, events, failing_since, created_at)
       VALUES ($1, $2, 'live', $3, '{printjob.done}', $4, $5)`,
      [id, organizationId, url, failingSince, FAILING_SINCE],
    )
    return id
  }
  onTestFinished(
    async () => void (await query('DELETE FROM webhooks.endpoint WHERE organization_id = $1', [organizationId])),
  )
  for (const email of owners) await world.accounts.addMember({ organizationId, email, role: 'owner' })
  await world.accounts.addMember({ organizationId, email: 'member@example.com', role: 'member' })

  const directory = await mkdtemp(join(tmpdir(), 'platen-mails-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const clock = createTestClock(FAILING_SINCE)
  const { signal: stopping } = new AbortController()
  const mailer = openMailer({ from: 'Platen <print@example.org>', to: to ?? { directory } }, { clock, stopping })
  const webhooks = { ...testing.webhooks, clock, mailer }
  const send = () => sendNotices(webhooks, stopping)
  let isDown = false
  world.intercept(AccountsService.method.listMembers, async (request, next) => {
    if (isDown) throw new ConnectError('gone', Code.Unavailable)
    return await next(request)
  })
  return {
    ...testing,
    webhooks,
    clock,
    addEndpoint,
    send,
    setAccountsDown(down: boolean) {
      isDown = down
    },
    /** Pending ones are not attempted during the test. */
    addDeliveries: (id: string, facts: AddedDeliveries) =>
      testing.addDeliveries(id, { nextAttemptAt: new Date(world.clock.now().getTime() + DAY_MS), ...facts }),
    async sweep() {
      await sweepFailing(webhooks)
      await send()
    },
    /** In the order of sending. */
    async readMails(): Promise<string[]> {
      const names = (await readdir(directory)).filter((name) => name.endsWith('.eml')).toSorted()
      return await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')))
    },
    readNotices: (condition = 'true') =>
      query(
        `SELECT stage, notice.due_at FROM webhooks.notice JOIN webhooks.endpoint ON endpoint.id = endpoint_id
         WHERE organization_id = $1 AND ${condition}`,
        [organizationId],
      ),
  }
}

const readSubjects = (mails: string[]) =>
  mails.map((mail) => /^Subject: (.*(?:\r\n .*)*)/m.exec(mail)?.[1]?.replaceAll('\r\n', ''))

/** A mail without soft line breaks and escapes. */
const decode = (mail = '') =>
  mail
    .replaceAll('\r\n', '\n')
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))

describe('an endpoint that keeps failing', () => {
  test('is enabled just before 5 days and disabled after 5 days; its pending deliveries become `missed` [failing.before-5-days failing.5-days missed.pending]', async () => {
    const { addEndpoint, addDeliveries, readHealth, readStatuses, sweep, clock } = await startFailing()
    const id = await addEndpoint()
    await addDeliveries(id, { count: 2, status: 'pending' })
    await addDeliveries(id, { status: 'failed' })
    clock.advance(5 * DAY_MS - 1)
    await sweep()
    expect(await readHealth(id)).toMatchObject({ enabled: true, disabled_reason: null })
    clock.advance(1)
    await sweep()
    expect(await readHealth(id)).toEqual({ enabled: false, disabled_reason: 'failures', failing_since: FAILING_SINCE })
    expect(await readStatuses(id)).toEqual(['failed', 'missed', 'missed'])
  })

  test('is disabled after its attempt without a sweep, and no other endpoint is', async () => {
    const { webhooks, addEndpoint, readHealth, clock } = await startFailing()
    const [failed, other, healthy] = [
      await addEndpoint(),
      await addEndpoint(),
      await addEndpoint({ failingSince: null }),
    ]
    clock.advance(5 * DAY_MS)
    await disableFailing(webhooks, [failed, healthy])
    expect(await readHealth(failed)).toMatchObject({ enabled: false, disabled_reason: 'failures' })
    for (const id of [other, healthy]) expect(await readHealth(id)).toMatchObject({ enabled: true })
  })

  test('stays enabled if a success is recorded concurrently', async () => {
    const { webhooks, addEndpoint, readHealth, hold, clock } = await startFailing()
    const id = await addEndpoint()
    clock.advance(5 * DAY_MS)
    const commit = await hold('UPDATE webhooks.endpoint SET failing_since = NULL WHERE id = $1', [id])
    const disabling = disableFailing(webhooks, [id])
    await commit()
    await disabling
    expect(await readHealth(id)).toMatchObject({ enabled: true, failing_since: null })
  })

  test('is disabled and reported once by two replicas', async () => {
    const { sweep, addEndpoint, clock, readMails } = await startFailing()
    for (let n = 0; n < 5; n++) await addEndpoint()
    clock.advance(5 * DAY_MS)
    await Promise.all([sweep(), sweep()])
    await sweep()
    expect(await readMails()).toHaveLength(5)
  })
})

describe('the owners of a failing endpoint', () => {
  test('get a mail after 1 hour, 1 day and 4 days and when it is disabled, each once, also from a replica with an older clock', async () => {
    const { webhooks, addEndpoint, sweep, clock, readMails } = await startFailing()
    await addEndpoint()
    const stages = [HOUR_MS, DAY_MS, 4 * DAY_MS, 5 * DAY_MS]
    for (const [n, stageMs] of stages.entries()) {
      const remainingMs = FAILING_SINCE.getTime() + stageMs - clock.now().getTime()
      const older = createTestClock(clock.now())
      clock.advance(remainingMs - 1)
      await sweep()
      expect(await readMails()).toHaveLength(n)
      clock.advance(1)
      await sweep()
      await sweep()
      await sweepFailing({ ...webhooks, clock: older })
      await sweep()
      expect(await readMails()).toHaveLength(n + 1)
    }
    clock.advance(DAY_MS)
    await sweep()
    expect(readSubjects(await readMails())).toEqual([
      'Your webhook endpoint at user.example.com:8443 has been failing for 1 hour',
      'Your webhook endpoint at user.example.com:8443 has been failing for 1 day',
      'Your webhook endpoint at user.example.com:8443 has been failing for 4 days',
      'Your webhook endpoint at user.example.com:8443 was disabled',
    ])
  })

  test('learn which endpoint fails, since when, why, what happens next and what to do, but not its path', async () => {
    const { addEndpoint, addDeliveries, query, clock, sweep, readMails } = await startFailing()
    const id = await addEndpoint()
    const [failed] = await addDeliveries(id, { status: 'failed' })
    await addDeliveries(id, { status: 'pending' })
    await query(`UPDATE webhooks.delivery SET last_error = 'status', last_status_code = 503 WHERE id = $1`, [failed])
    clock.advance(HOUR_MS)
    await sweep()
    const mail = decode((await readMails())[0])
    for (const part of [
      'To: ann@example.com\n',
      `${id} (live mode)`,
      'user.example.com:8443',
      '2026-01-02 03:04 UTC',
      'its answer was no success (HTTP status 503)',
      '2026-01-07 03:04 UTC, the endpoint is disabled',
      'What to do:',
    ])
      expect(mail).toContain(part)
    expect(mail).not.toMatch(/token|hook\/|quoted-printable/)
    clock.advance(5 * DAY_MS)
    await sweep()
    const disabled = decode((await readMails()).at(-1))
    expect(disabled).toContain('took no delivery for 5 days\nand was disabled.')
    expect(disabled).toContain(`PATCH /v1/webhooks/${id}`)
    expect(disabled).toContain(`{"since": "${FAILING_SINCE.toISOString()}"}`)
  })

  test('all get the mail, and no other member; without an owner no mail is sent', async () => {
    const owners = ['ann@example.com', 'bob@example.com']
    for (const expected of [owners, []]) {
      const { addEndpoint, sweep, clock, readMails, readNotices } = await startFailing({ owners: expected })
      await addEndpoint()
      clock.advance(HOUR_MS)
      await sweep()
      const recipients = (await readMails()).map((mail) => /^To: (.*)$/m.exec(mail)?.[1]?.trim())
      expect(recipients.toSorted()).toEqual(expected)
      expect(await readNotices()).toEqual([{ stage: '1 hour', due_at: null }])
    }
  })

  test('get only the last stage if no sweep ran before, and a mail for the next run of failures', async () => {
    const { addEndpoint, sweep, clock, readMails, query } = await startFailing()
    const id = await addEndpoint()
    clock.advance(4 * DAY_MS)
    await sweep()
    await query('UPDATE webhooks.endpoint SET failing_since = $2 WHERE id = $1', [id, clock.now()])
    await sweep()
    clock.advance(HOUR_MS)
    await sweep()
    expect(readSubjects(await readMails())).toEqual([
      expect.stringContaining('for 4 days'),
      expect.stringContaining('for 1 hour'),
    ])
  })

  test('get no mail if the endpoint was disabled by a user, deleted or successful before it is sent', async () => {
    const { addEndpoint, sweep, clock, readMails, query, setAccountsDown, readNotices } = await startFailing()
    const [byUser, deleted, healthy] = [await addEndpoint(), await addEndpoint(), await addEndpoint()]
    clock.advance(HOUR_MS)
    setAccountsDown(true)
    await sweep()
    await query(`UPDATE webhooks.endpoint SET enabled = false, disabled_reason = 'user' WHERE id = $1`, [byUser])
    await query('DELETE FROM webhooks.endpoint WHERE id = $1', [deleted])
    await query('UPDATE webhooks.endpoint SET failing_since = NULL WHERE id = $1', [healthy])
    setAccountsDown(false)
    clock.advance(6 * DAY_MS)
    await sweep()
    expect(await readMails()).toEqual([])
    expect(await readNotices('due_at IS NOT NULL')).toEqual([])
  })
})

describe('a mail that cannot be sent', () => {
  test('is sent a minute later if the owners are unknown until then', async () => {
    const { addEndpoint, sweep, clock, readMails, setAccountsDown } = await startFailing()
    await addEndpoint()
    clock.advance(HOUR_MS)
    setAccountsDown(true)
    await sweep()
    setAccountsDown(false)
    clock.advance(MINUTE_MS - 1)
    await sweep()
    expect(await readMails()).toHaveLength(0)
    clock.advance(1)
    await sweep()
    expect(await readMails()).toHaveLength(1)
  })

  test('goes to the other owners at once, and to a refused one later, to each once; the pauses double', async () => {
    let isRefused = true
    const { port, received } = await startSmtpServer({
      onRcptTo({ address }, _, done) {
        if (isRefused && address === 'ann@example.com') done(Object.assign(new Error('full'), { responseCode: 452 }))
        else done()
      },
    })
    const { addEndpoint, sweep, clock } = await startFailing({
      owners: ['ann@example.com', 'bob@example.com'],
      to: { host: '127.0.0.1', port, secure: false, requireTls: false, auth: undefined },
    })
    await addEndpoint()
    clock.advance(HOUR_MS)
    await sweep()
    expect(received.flatMap(({ to }) => to)).toEqual(['bob@example.com'])
    for (const minutes of [1, 2, 4]) {
      clock.advance(minutes * MINUTE_MS)
      await sweep()
    }
    isRefused = false
    clock.advance(8 * MINUTE_MS - 1)
    await sweep()
    expect(received).toHaveLength(1)
    clock.advance(1)
    await sweep()
    clock.advance(HOUR_MS)
    await sweep()
    expect(received.flatMap(({ to }) => to)).toEqual(['bob@example.com', 'ann@example.com'])
    const ids = received.map(({ source }) => /^Message-ID:\s+<(.*)@example\.org>/m.exec(source)?.[1])
    expect(new Set(ids).size).toBe(2)
  })

  test('is abandoned after three days', async () => {
    const { addEndpoint, sweep, clock, setAccountsDown, readNotices } = await startFailing()
    await addEndpoint()
    // The last stage, which no later one replaces.
    clock.advance(5 * DAY_MS)
    setAccountsDown(true)
    await sweep()
    clock.advance(3 * DAY_MS - 1)
    await sweep()
    expect(await readNotices('due_at IS NOT NULL')).toHaveLength(1)
    clock.advance(HOUR_MS)
    await sweep()
    expect(await readNotices('due_at IS NOT NULL')).toEqual([])
  })

  test('is sent by another process after the lease of one that died', async () => {
    const { addEndpoint, sweep, send, clock, readMails, webhooks, readNotices } = await startFailing()
    await addEndpoint()
    clock.advance(HOUR_MS)
    const { mailer } = webhooks
    webhooks.mailer = { send: () => Promise.reject(new Error('killed')) }
    await expect(sweep()).rejects.toThrow('killed')
    webhooks.mailer = mailer
    await send()
    expect(await readMails()).toHaveLength(0)
    clock.advance(5 * MINUTE_MS)
    await send()
    expect(await readMails()).toHaveLength(1)
    expect(await readNotices()).toMatchObject([{ due_at: null }])
  })
})

test('a host name stays within one line of one header', async () => {
  const { addEndpoint, sweep, clock, readMails } = await startFailing()
  await addEndpoint({ url: 'https://xn--grn-hoa.example.com/a%0d%0aBcc:eve@example.com' })
  clock.advance(HOUR_MS)
  await sweep()
  const mails = await readMails()
  expect(mails.join()).not.toMatch(/^Bcc/m)
  expect(readSubjects(mails)).toEqual(['Your webhook endpoint at xn--grn-hoa.example.com has been failing for 1 hour'])
})
