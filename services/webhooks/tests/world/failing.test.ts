/** Endpoints that keep failing, and the e-mails to their owners. */
import { Code, ConnectError } from '@connectrpc/connect'
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { type Mail, MailFailure } from '@platen/runtime/mail/mailer.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { createTestClock } from '@platen/test/harness/test-clock.ts'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { disableFailing } from '../../disable-failing.ts'
import { sendAlerts } from '../../timers/send-alerts.ts'
import { sweepFailing } from '../../timers/sweep-failing.ts'
import { type AddedDeliveries, DAY_MS, HOUR_MS, startTestWebhooks } from '../webhooks-world.ts'

const MINUTE_MS = 60_000
const FAILING_SINCE = new Date('2026-01-02T03:04:05.678Z')

/**
 * The timers of the service with a clock and a mailer of the test: the clock of the world does not move by days. The timers serve all
 * organizations of the world; the mailer keeps the mails to members of this one, with the names of the receivers.
 */
async function startFailing({ owners = ['ann'] } = {}) {
  const testing = await startTestWebhooks()
  const { world, query, live } = testing
  const { organizationId } = live
  const domain = `${organizationId}.example.com`
  const addMember = (name: string, role: string) =>
    world.accounts.addMember({ organizationId, email: `${name}@${domain}`, role })
  for (const name of owners) await addMember(name, 'owner')
  await addMember('member', 'member')
  const clock = createTestClock(FAILING_SINCE)
  const mails: Mail[] = []
  const faults = { accountsDown: false, refused: '', killed: false }
  world.intercept(AccountsService.method.listMembers, async (request, next) => {
    if (faults.accountsDown) throw new ConnectError('gone', Code.Unavailable)
    return await next(request)
  })
  const mailer = {
    async send(mail: Mail) {
      const [to = '', of] = mail.to.split('@')
      if (of !== domain) return
      if (faults.killed) throw new Error('killed')
      if (to === faults.refused) throw new MailFailure('the server answered 452')
      mails.push({ ...mail, to })
    },
  }
  const webhooks = { ...testing.webhooks, clock, mailer }
  const send = () => sendAlerts(webhooks, new AbortController().signal)
  return {
    ...testing,
    webhooks,
    clock,
    mails,
    faults,
    send,
    readSubjects: () => mails.map(({ subject }) => subject),
    async addEndpoint(failingSince: Date | null = FAILING_SINCE) {
      const id = uuidv7()
      await query(
        `INSERT INTO webhooks.endpoint (id, organization_id, mode, url, events, failing_since, created_at)
         VALUES ($1, $2, 'live', 'https://user.example.com:8443/hook/token-1?key=token-2', '{printjob.done}', $3, $4)`,
        [id, organizationId, failingSince, FAILING_SINCE],
      )
      return id
    },
    /** Pending ones are not attempted during the test. */
    addDeliveries: (id: string, facts: AddedDeliveries) =>
      testing.addDeliveries(id, { nextAttemptAt: new Date(world.clock.now().getTime() + DAY_MS), ...facts }),
    async sweep() {
      await sweepFailing(webhooks)
      await send()
    },
    readAlerts: (condition = 'true') =>
      query(
        `SELECT severity, failure_alert.due_at FROM webhooks.failure_alert JOIN webhooks.endpoint ON endpoint.id = endpoint_id
         WHERE organization_id = $1 AND ${condition}`,
        [organizationId],
      ),
  }
}

describe('an endpoint that keeps failing', () => {
  test('is enabled just before 5 days and disabled after 5 days; its pending deliveries become `missed`', async () => {
    proves('failing.before-5-days', 'failing.5-days', 'missed.pending')
    const { addEndpoint, addDeliveries, readHealth, readStatuses, sweep, clock } = await startFailing()
    const [id, healthy] = [await addEndpoint(), await addEndpoint(null)]
    await addDeliveries(id, { count: 2, status: 'pending' })
    await addDeliveries(id, { status: 'failed' })
    clock.advance(5 * DAY_MS - 1)
    await sweep()
    expect(await readHealth(id)).toMatchObject({ enabled: true, disabled_reason: null })
    clock.advance(1)
    await sweep()
    expect(await readHealth(id)).toEqual({ enabled: false, disabled_reason: 'failures', failing_since: FAILING_SINCE })
    expect(await readStatuses(id)).toEqual(['failed', 'missed', 'missed'])
    expect(await readHealth(healthy)).toMatchObject({ enabled: true })
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
    const { sweep, addEndpoint, clock, mails } = await startFailing()
    for (let n = 0; n < 5; n++) await addEndpoint()
    clock.advance(5 * DAY_MS)
    await Promise.all([sweep(), sweep()])
    await sweep()
    expect(mails).toHaveLength(5)
  })
})

describe('the owners of a failing endpoint', () => {
  test('get a mail after 1 hour, 1 day and 4 days and when it is disabled, each once, also from a replica with an older clock', async () => {
    const { webhooks, addEndpoint, sweep, clock, mails, readSubjects } = await startFailing()
    await addEndpoint()
    const thresholds = [HOUR_MS, DAY_MS, 4 * DAY_MS, 5 * DAY_MS]
    for (const [n, thresholdMs] of thresholds.entries()) {
      const remainingMs = FAILING_SINCE.getTime() + thresholdMs - clock.now().getTime()
      const older = createTestClock(clock.now())
      clock.advance(remainingMs - 1)
      await sweep()
      expect(mails).toHaveLength(n)
      clock.advance(1)
      await sweep()
      await sweep()
      await sweepFailing({ ...webhooks, clock: older })
      await sweep()
      expect(mails).toHaveLength(n + 1)
    }
    clock.advance(DAY_MS)
    await sweep()
    expect(readSubjects()).toEqual([
      'Your webhook endpoint at user.example.com:8443 has been failing for 1 hour',
      'Your webhook endpoint at user.example.com:8443 has been failing for 1 day',
      'Your webhook endpoint at user.example.com:8443 has been failing for 4 days',
      'Your webhook endpoint at user.example.com:8443 was disabled',
    ])
  })

  test('learn which endpoint fails, since when, why, what happens next and what to do, but not its path', async () => {
    const { addEndpoint, addDeliveries, query, clock, sweep, mails } = await startFailing()
    const id = await addEndpoint()
    const [failed] = await addDeliveries(id, { status: 'failed' })
    await addDeliveries(id, { status: 'pending' })
    await query(`UPDATE webhooks.delivery SET last_error = 'status', last_status_code = 503 WHERE id = $1`, [failed])
    clock.advance(HOUR_MS)
    await sweep()
    clock.advance(5 * DAY_MS)
    await sweep()
    const [failing = '', disabled = ''] = mails.map(({ text }) => text)
    for (const part of [`${id} (live mode)`, 'user.example.com:8443', '2026-01-02 03:04 UTC', 'What to do:'])
      expect(failing).toContain(part)
    expect(failing).toContain('the response was not successful (HTTP status 503)')
    expect(failing).toContain('2026-01-07 03:04 UTC, the endpoint is disabled')
    expect(failing).not.toMatch(/token|hook\//)
    expect(disabled).toContain('was disabled because it had no\nsuccessful delivery for 5 days.')
    expect(disabled).toContain(`PATCH /v1/webhooks/${id}`)
    expect(disabled).toContain(`{"since": "${FAILING_SINCE.toISOString()}"}`)
  })

  test('all get the mail, and no other member; without an owner no mail is sent', async () => {
    for (const owners of [['ann', 'bob'], []]) {
      const { addEndpoint, sweep, clock, mails, readAlerts } = await startFailing({ owners })
      await addEndpoint()
      clock.advance(HOUR_MS)
      await sweep()
      expect(mails.map(({ to }) => to).toSorted()).toEqual(owners)
      expect(await readAlerts()).toEqual([{ severity: '1 hour', due_at: null }])
    }
  })

  test('get only the last alert if no sweep ran before, and a mail for the next run of failures', async () => {
    const { addEndpoint, sweep, clock, readSubjects, query } = await startFailing()
    const id = await addEndpoint()
    clock.advance(4 * DAY_MS)
    await sweep()
    await query('UPDATE webhooks.endpoint SET failing_since = $2 WHERE id = $1', [id, clock.now()])
    await sweep()
    clock.advance(HOUR_MS)
    await sweep()
    expect(readSubjects()).toEqual([expect.stringContaining('for 4 days'), expect.stringContaining('for 1 hour')])
  })

  test('get no mail if the endpoint was disabled by a user, deleted or successful before it is sent', async () => {
    const { addEndpoint, sweep, clock, mails, query, faults, readAlerts } = await startFailing()
    const [byUser, deleted, healthy] = [await addEndpoint(), await addEndpoint(), await addEndpoint()]
    clock.advance(HOUR_MS)
    faults.accountsDown = true
    await sweep()
    await query(`UPDATE webhooks.endpoint SET enabled = false, disabled_reason = 'user' WHERE id = $1`, [byUser])
    await query('DELETE FROM webhooks.endpoint WHERE id = $1', [deleted])
    await query('UPDATE webhooks.endpoint SET failing_since = NULL WHERE id = $1', [healthy])
    faults.accountsDown = false
    clock.advance(6 * DAY_MS)
    await sweep()
    expect(mails).toEqual([])
    expect(await readAlerts('due_at IS NOT NULL')).toEqual([])
  })
})

describe('a mail that cannot be sent', () => {
  test('is sent a minute later if the owners are unknown until then', async () => {
    const { addEndpoint, sweep, clock, mails, faults } = await startFailing()
    await addEndpoint()
    clock.advance(HOUR_MS)
    faults.accountsDown = true
    await sweep()
    faults.accountsDown = false
    clock.advance(MINUTE_MS - 1)
    await sweep()
    expect(mails).toHaveLength(0)
    clock.advance(1)
    await sweep()
    expect(mails).toHaveLength(1)
  })

  test('goes to the other owners at once, and to a refused one later, to each once; the pauses double', async () => {
    const { addEndpoint, sweep, clock, mails, faults } = await startFailing({
      owners: ['ann', 'bob'],
    })
    await addEndpoint()
    faults.refused = 'ann'
    for (const pauseMs of [HOUR_MS, MINUTE_MS, 2 * MINUTE_MS, 4 * MINUTE_MS]) {
      clock.advance(pauseMs)
      await sweep()
      expect(mails.map(({ to }) => to)).toEqual(['bob'])
    }
    faults.refused = ''
    clock.advance(8 * MINUTE_MS - 1)
    await sweep()
    expect(mails).toHaveLength(1)
    for (const pauseMs of [1, HOUR_MS]) {
      clock.advance(pauseMs)
      await sweep()
    }
    expect(mails.map(({ to }) => to)).toEqual(['bob', 'ann'])
    expect(new Set(mails.map(({ id }) => id)).size).toBe(2)
  })

  test('is abandoned after three days', async () => {
    const { addEndpoint, sweep, clock, faults, readAlerts } = await startFailing()
    await addEndpoint()
    // The last alert, which no later one replaces.
    clock.advance(5 * DAY_MS)
    faults.accountsDown = true
    await sweep()
    clock.advance(3 * DAY_MS - 1)
    await sweep()
    expect(await readAlerts('due_at IS NOT NULL')).toHaveLength(1)
    clock.advance(HOUR_MS)
    await sweep()
    expect(await readAlerts('due_at IS NOT NULL')).toEqual([])
  })

  test('is sent by another process after the lease of one that died', async () => {
    const { addEndpoint, sweep, send, clock, mails, faults, readAlerts } = await startFailing()
    await addEndpoint()
    clock.advance(HOUR_MS)
    faults.killed = true
    await expect(sweep()).rejects.toThrow('killed')
    faults.killed = false
    await send()
    expect(mails).toHaveLength(0)
    clock.advance(MINUTE_MS)
    await send()
    expect(mails).toHaveLength(1)
    expect(await readAlerts()).toMatchObject([{ due_at: null }])
  })
})
