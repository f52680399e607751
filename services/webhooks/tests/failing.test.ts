/** What becomes of endpoints that keep failing, and what their owners hear of it. */
import { startSmtpServer } from '@platen/test/harness/smtp-server.ts'
import { describe, expect, test } from 'vitest'
import { disableFailing } from '../disable-failing.ts'
import { addDeliveries } from './add-deliveries.ts'
import { FAILING_SINCE, startTestNotices } from './start-test-notices.ts'

const MINUTE_S = 60
const HOUR_S = 60 * MINUTE_S
const DAY_S = 24 * HOUR_S

const subjects = (mails: string[]) =>
  mails.map((mail) => /^Subject: (.*(?:\r\n .*)*)/m.exec(mail)?.[1]?.replaceAll('\r\n', ''))

describe('an endpoint that keeps failing', () => {
  test('is enabled just before 5 days, and disabled by the sweep after 5 days without any traffic', async () => {
    const { addEndpoint, endpoint, sweep, clock } = await startTestNotices()
    const id = await addEndpoint()
    clock.advanceSeconds(5 * DAY_S - 0.001)
    await sweep()
    expect(await endpoint(id)).toMatchObject({ enabled: true, disabled_reason: null })
    clock.advanceSeconds(0.001)
    await sweep()
    expect(await endpoint(id)).toEqual({ enabled: false, disabled_reason: 'failures', failing_since: FAILING_SINCE })
  })

  test('leaves its pending deliveries as missed when it is disabled', async () => {
    const world = await startTestNotices()
    const id = await world.addEndpoint()
    await addDeliveries(world, id, { count: 3, status: 'pending' })
    await addDeliveries(world, id, { status: 'failed' })
    world.clock.advanceSeconds(5 * DAY_S)
    await world.sweep()
    const rows = await world.query(
      `SELECT status, count(*)::int, count(due_at)::int AS due FROM webhooks.delivery GROUP BY 1 ORDER BY 1`,
    )
    expect(rows).toEqual([
      { status: 'failed', count: 1, due: 0 },
      { status: 'missed', count: 3, due: 0 },
    ])
  })

  test('is disabled after an attempt as well, and others are left alone', async () => {
    const { webhooks, addEndpoint, endpoint, clock } = await startTestNotices()
    const [asked, other, healthy] = [
      await addEndpoint(),
      await addEndpoint(),
      await addEndpoint({ failingSince: null }),
    ]
    clock.advanceSeconds(5 * DAY_S)
    await disableFailing(webhooks, [asked, healthy])
    expect(await endpoint(asked)).toMatchObject({ enabled: false, disabled_reason: 'failures' })
    expect(await endpoint(other)).toMatchObject({ enabled: true })
    expect(await endpoint(healthy)).toMatchObject({ enabled: true })
  })

  test('is not disabled when a success is recorded at the same moment', async () => {
    const { webhooks, addEndpoint, endpoint, clock } = await startTestNotices()
    const id = await addEndpoint()
    clock.advanceSeconds(5 * DAY_S)
    const success = await webhooks.pool.connect()
    await success.query('BEGIN')
    await success.query('UPDATE webhooks.endpoint SET failing_since = NULL WHERE id = $1', [id])
    const disabling = disableFailing(webhooks, [id])
    await success.query('COMMIT')
    success.release()
    await disabling
    expect(await endpoint(id)).toMatchObject({ enabled: true, failing_since: null })
  })

  test('is disabled once, and told once, by two replicas at once', async () => {
    const { sweep, addEndpoint, clock, mails } = await startTestNotices()
    for (let n = 0; n < 5; n++) await addEndpoint()
    clock.advanceSeconds(5 * DAY_S)
    await Promise.all([sweep(), sweep()])
    await sweep()
    expect(await mails()).toHaveLength(5)
  })
})

describe('its owners', () => {
  test('are told after 1 hour, 1 day and 4 days and when it is disabled, each once', async () => {
    const { addEndpoint, sweep, clock, mails } = await startTestNotices()
    await addEndpoint()
    const told: unknown[] = []
    let elapsedS = 0
    for (const [atS, count] of [
      [HOUR_S - 1, 0],
      [HOUR_S, 1],
      [DAY_S - 1, 1],
      [DAY_S, 2],
      [4 * DAY_S - 1, 2],
      [4 * DAY_S, 3],
      [5 * DAY_S - 1, 3],
      [5 * DAY_S, 4],
      [6 * DAY_S, 4],
    ] as const) {
      clock.advanceSeconds(atS - elapsedS)
      elapsedS = atS
      await sweep()
      await sweep()
      told.push([atS, (await mails()).length])
      expect(told.at(-1)).toEqual([atS, count])
    }
    expect(subjects(await mails())).toEqual([
      'Your webhook endpoint at user.example.com:8443 has been failing for 1 hour',
      'Your webhook endpoint at user.example.com:8443 has been failing for 1 day',
      'Your webhook endpoint at user.example.com:8443 has been failing for 4 days',
      'Your webhook endpoint at user.example.com:8443 was disabled',
    ])
  })

  test('hear which endpoint, since when, why, what happens next and what to do, but not its path', async () => {
    const world = await startTestNotices()
    const id = await world.addEndpoint()
    const [failed] = await addDeliveries(world, id, { status: 'failed' })
    await addDeliveries(world, id, { status: 'pending' })
    await world.query(`UPDATE webhooks.delivery SET last_error = 'status', last_status_code = 503 WHERE id = $1`, [
      failed,
    ])
    world.clock.advanceSeconds(HOUR_S)
    await world.sweep()
    const [mail = ''] = (await world.mails()).map(decoded)
    expect(mail).toContain('To: ann@example.com\n')
    expect(mail).toContain(`${id} (live mode)`)
    expect(mail).toContain('user.example.com:8443')
    expect(mail).toContain('2026-01-02 03:04 UTC')
    expect(mail).toContain('its answer was no success (HTTP status 503)')
    expect(mail).toContain('2026-01-07 03:04 UTC, the endpoint is disabled')
    expect(mail).toContain('What to do:')
    expect(mail).not.toMatch(/token|hook\//)
    expect(mail).not.toContain('quoted-printable')

    world.clock.advanceSeconds(5 * DAY_S)
    await world.sweep()
    const disabled = decoded((await world.mails()).at(-1) ?? '')
    expect(disabled).toContain('took no delivery for 5 days\nand was disabled.')
    expect(disabled).toContain(`PATCH /v1/webhooks/${id}`)
    expect(disabled).toContain(`{"since": "${FAILING_SINCE.toISOString()}"}`)
  })

  test('are all told, and nobody else', async () => {
    const { addEndpoint, sweep, clock, mails, accounts } = await startTestNotices({
      owners: ['ann@example.com', 'bob@example.com'],
    })
    await addEndpoint()
    clock.advanceSeconds(HOUR_S)
    await sweep()
    expect((await mails()).map((mail) => /^To: (.*)$/m.exec(mail)?.[1]?.trim()).toSorted()).toEqual(accounts.emails)
  })

  test('hear the last stage alone when nobody could look before', async () => {
    const { addEndpoint, sweep, clock, mails } = await startTestNotices()
    await addEndpoint()
    clock.advanceSeconds(4 * DAY_S)
    await sweep()
    expect(subjects(await mails())).toEqual([expect.stringContaining('for 4 days')])
  })

  test('hear nothing of an endpoint that a user disabled or deleted, or that succeeded before the mail went out', async () => {
    const { addEndpoint, sweep, clock, mails, query, accounts } = await startTestNotices()
    const [byUser, deleted, healthy] = [await addEndpoint(), await addEndpoint(), await addEndpoint()]
    clock.advanceSeconds(HOUR_S)
    accounts.down = true
    await sweep()
    await query(`UPDATE webhooks.endpoint SET enabled = false, disabled_reason = 'user' WHERE id = $1`, [byUser])
    await query('DELETE FROM webhooks.endpoint WHERE id = $1', [deleted])
    await query('UPDATE webhooks.endpoint SET failing_since = NULL WHERE id = $1', [healthy])
    accounts.down = false
    clock.advanceSeconds(6 * DAY_S)
    await sweep()
    expect(await mails()).toEqual([])
    expect(await query('SELECT FROM webhooks.notice WHERE due_at IS NOT NULL')).toEqual([])
  })

  test('are told again of the next run of failures', async () => {
    const { addEndpoint, sweep, clock, mails, query } = await startTestNotices()
    const id = await addEndpoint()
    clock.advanceSeconds(HOUR_S)
    await sweep()
    await query('UPDATE webhooks.endpoint SET failing_since = $2 WHERE id = $1', [id, clock.now()])
    await sweep()
    expect(await mails()).toHaveLength(1)
    clock.advanceSeconds(HOUR_S)
    await sweep()
    expect(subjects(await mails())).toEqual(Array(2).fill(expect.stringContaining('for 1 hour')))
  })

  test('get nothing twice from two replicas whose clocks differ', async () => {
    const { webhooks, addEndpoint, sweep, clock, mails } = await startTestNotices()
    await addEndpoint()
    clock.advanceSeconds(DAY_S)
    await sweep()
    clock.advanceSeconds(-1)
    await sweep()
    clock.advanceSeconds(1)
    await sweep()
    expect(await mails()).toHaveLength(1)
    expect(webhooks.disableAfterMs).toBe(5 * DAY_S * 1000)
  })

  test('an organization without one is told nothing, and that is not tried again', async () => {
    const { addEndpoint, sweep, clock, mails, query } = await startTestNotices({ owners: [] })
    await addEndpoint()
    clock.advanceSeconds(HOUR_S)
    await sweep()
    expect(await mails()).toEqual([])
    expect(await query('SELECT stage, due_at FROM webhooks.notice')).toEqual([{ stage: '1 hour', due_at: null }])
  })
})

describe('a mail that cannot be sent', () => {
  test('is tried again when there is a way to the owners, by the same `Message-ID`', async () => {
    const { addEndpoint, sweep, clock, mails, accounts } = await startTestNotices()
    await addEndpoint()
    clock.advanceSeconds(HOUR_S)
    accounts.down = true
    await sweep()
    clock.advanceSeconds(MINUTE_S - 1)
    accounts.down = false
    await sweep()
    expect(await mails()).toHaveLength(0)
    clock.advanceSeconds(1)
    await sweep()
    expect(await mails()).toHaveLength(1)
  })

  test('goes to the others at once, and to the one who was refused when it can, and to nobody twice', async () => {
    let refused = true
    const { port, received } = await startSmtpServer({
      onRcptTo({ address }, _, done) {
        if (refused && address === 'ann@example.com') done(Object.assign(new Error('full'), { responseCode: 452 }))
        else done()
      },
    })
    const { addEndpoint, sweep, clock } = await startTestNotices({
      owners: ['ann@example.com', 'bob@example.com'],
      to: { host: '127.0.0.1', port, secure: false, requireTls: false, auth: undefined },
    })
    await addEndpoint()
    clock.advanceSeconds(HOUR_S)
    await sweep()
    expect(received.flatMap(({ to }) => to)).toEqual(['bob@example.com'])
    // The pauses double, up to an hour.
    for (const pauseS of [MINUTE_S, 2 * MINUTE_S, 4 * MINUTE_S]) {
      clock.advanceSeconds(pauseS)
      await sweep()
    }
    refused = false
    clock.advanceSeconds(8 * MINUTE_S - 1)
    await sweep()
    expect(received).toHaveLength(1)
    clock.advanceSeconds(1)
    await sweep()
    clock.advanceSeconds(HOUR_S)
    await sweep()
    expect(received.flatMap(({ to }) => to)).toEqual(['bob@example.com', 'ann@example.com'])
    const ids = received.map(({ source }) => /^Message-ID:\s+<(.*)@example\.org>/m.exec(source)?.[1])
    expect(new Set(ids).size).toBe(2)
  })

  test('is given up after three days', async () => {
    const { addEndpoint, sweep, clock, accounts, query } = await startTestNotices()
    await addEndpoint()
    // The last stage, which no later one replaces.
    clock.advanceSeconds(5 * DAY_S)
    accounts.down = true
    await sweep()
    clock.advanceSeconds(3 * DAY_S - 1)
    await sweep()
    expect(await query('SELECT FROM webhooks.notice WHERE due_at IS NOT NULL')).toHaveLength(1)
    clock.advanceSeconds(HOUR_S)
    await sweep()
    expect(await query('SELECT FROM webhooks.notice WHERE due_at IS NOT NULL')).toEqual([])
  })

  test('waits out a process that died with it, and comes from another one', async () => {
    const { addEndpoint, sweep, send, clock, mails, webhooks, query } = await startTestNotices()
    await addEndpoint()
    clock.advanceSeconds(HOUR_S)
    const { mailer } = webhooks
    webhooks.mailer = { send: () => Promise.reject(new Error('killed')) }
    await expect(sweep()).rejects.toThrow('killed')
    webhooks.mailer = mailer
    await send()
    expect(await mails()).toHaveLength(0)
    clock.advanceSeconds(5 * MINUTE_S)
    await send()
    expect(await mails()).toHaveLength(1)
    expect(await query('SELECT due_at FROM webhooks.notice')).toEqual([{ due_at: null }])
  })
})

test('a host name full of tricks is one line of one header', async () => {
  const { addEndpoint, sweep, clock, mails } = await startTestNotices()
  await addEndpoint({ url: 'https://xn--grn-hoa.example.com/a%0d%0aBcc:eve@example.com' })
  clock.advanceSeconds(HOUR_S)
  await sweep()
  const [mail = ''] = await mails()
  expect(mail).not.toMatch(/^Bcc/m)
  expect(subjects([mail])).toEqual(['Your webhook endpoint at xn--grn-hoa.example.com has been failing for 1 hour'])
})

/** The text of a mail, its soft line breaks and escapes undone. */
const decoded = (mail: string) =>
  mail
    .replaceAll('\r\n', '\n')
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
