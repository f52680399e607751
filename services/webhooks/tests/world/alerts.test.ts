/** Alerts by e-mail to members, from a problem of a device to a mail server. */
import { Code, ConnectError } from '@connectrpc/connect'
import { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { BUDGETS } from '@platen/resources/budgets.ts'
import { type Mail, type Mailer, MailFailure } from '@platen/runtime/mail/mailer.ts'
import { openMailer } from '@platen/runtime/mail/open-mailer.ts'
import { signInAs } from '@platen/test/harness/browser.ts'
import { holdTransaction } from '@platen/test/harness/hold-transaction.ts'
import { connectLightAgent } from '@platen/test/harness/light-agent.ts'
import { newOrganization, printJob } from '@platen/test/harness/organization.ts'
import { startSmtpServer } from '@platen/test/harness/smtp-server.ts'
import { untilVisible } from '@platen/test/harness/until-visible.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { findIncidents } from '../../timers/find-incidents.ts'
import { sendIncidentMails } from '../../timers/send-incident-mails.ts'
import { sweepFailing } from '../../timers/sweep-failing.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** An owner, a mail server, and two replicas that run the timers at the same time. */
async function startAlerts() {
  const organization = await newOrganization()
  const { world, id } = organization
  const owner = await signInAs(organization, 'owner')
  // Failing and disabled endpoints of other tests of the worker would have mails as well.
  await world.query("DELETE FROM webhooks.endpoint WHERE failing_since IS NOT NULL OR disabled_reason = 'failures'")
  const smtp = await startSmtpServer()
  const { port } = smtp
  const { clock } = world
  const to = { host: '127.0.0.1', port, secure: false, requireTls: false, auth: undefined }
  const stopping = new AbortController().signal
  const options = { clock, log: world.contexts.webhooks.log, stopping }
  const mailer: Mailer = openMailer({ from: 'platen@localhost', to }, options)
  const webhooks = { ...world.contexts.webhooks, mailer }
  const twice = (run: () => Promise<void>) => Promise.all([run(), run()])
  onTestFinished(
    async () =>
      void (await world.query(
        `WITH rule AS (DELETE FROM webhooks.alert_rule), member AS (DELETE FROM webhooks.alert_member),
           mail AS (DELETE FROM webhooks.alert_mail)
         DELETE FROM webhooks.incident`,
      )),
  )
  return {
    ...organization,
    webhooks,
    owner,
    /** Moves the clock, then evaluates and sends. */
    async advance(ms: number) {
      world.advance(ms)
      await twice(() => findIncidents(webhooks))
      await twice(() => sendIncidentMails(webhooks, stopping))
    },
    send: (context = webhooks) => sendIncidentMails(context, stopping),
    find: () => findIncidents(webhooks),
    /** `$1` is the organization. */
    query: (sql: string) => world.query(sql, [id]),
    mails: (address = owner.email) => smtp.received.filter(({ to }) => to.includes(address)).map(readMail),
    count: async (table: string) =>
      (
        await world.query<{ n: number }>(
          `SELECT count(*)::int AS n FROM webhooks.${table} WHERE organization_id = $1`,
          [id],
        )
      )[0]?.n,
    addRule: async (rule: object) => {
      const { status, body } = await owner.post('/account/alerts', rule)
      expect(status, JSON.stringify(body)).toBe(201)
      return body
    },
    /** The change has the effect of a report of its agent. */
    setPrinter: (printerId: string, changes: string) =>
      world.query(`UPDATE devices.printer SET ${changes} WHERE id = $1`, [printerId]),
    /** Enrolled, connected, and gone again. */
    async addOfflineComputer(name = 'Front desk') {
      const { computerId, credential } = await organization.enroll('live', name)
      const agent = await connectLightAgent(world.agentAddress, credential)
      agent.close()
      await waitFor(async () =>
        expect(
          await world.query('SELECT FROM devices.computer WHERE id = $1 AND disconnected_at IS NOT NULL', [computerId]),
        ).toHaveLength(1),
      )
      world.advance(30_000)
      await world.sweep('devices', 'offline')
      return { computerId, credential }
    },
    /** Failing for so long, by the clock of the world. */
    async addEndpoint(failingMs: number) {
      const endpointId = uuidv7()
      await world.query(
        `INSERT INTO webhooks.endpoint (id, organization_id, mode, url, events, failing_since, last_error,
           last_status_code, created_at)
         VALUES ($1, $2, 'live', 'https://user.example.com:8443/hook/token-1?key=token-2', '{printjob.done}', $3,
           'status', 503, $3)`,
        [endpointId, id, new Date(clock.now().getTime() - failingMs)],
      )
      return endpointId
    },
    setEndpoint: (endpointId: string, changes: string) =>
      world.query(`UPDATE webhooks.endpoint SET ${changes} WHERE id = $1`, [endpointId]),
    /** Disables an endpoint that has failed for five days. */
    sweepFailing: () => sweepFailing(webhooks),
    async untilRecorded(count: number) {
      await waitFor(async () => {
        await world.sweep('webhooks', 'event logs')
        expect(
          await world.query(
            `SELECT FROM webhooks.event WHERE organization_id = $1 AND type IN ('printjob.expired', 'printjob.done')`,
            [id],
          ),
        ).toHaveLength(count)
      })
      await untilVisible(world.pool)
    },
  }
}

/** @returns the headers, and the text without its transfer encoding. */
function readMail({ source }: { source: string }) {
  const end = source.indexOf('\r\n\r\n')
  const head = source.slice(0, end).replaceAll(/\r\n[ \t]+/g, ' ')
  const bytes = source
    .slice(end + 4)
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(head)?.[1] ?? ''
  return { id: header('Message-ID'), subject: header('Subject'), head, text: Buffer.from(bytes, 'latin1').toString() }
}

test('an owner gets one mail when a live computer has been offline for 30 minutes, and one when it is back', async () => {
  const { addOfflineComputer, advance, mails, world } = await startAlerts()
  const { computerId, credential } = await addOfflineComputer()
  await advance(29 * MINUTE_MS)
  expect(mails()).toEqual([])
  await advance(MINUTE_MS)
  await advance(MINUTE_MS)
  await advance(HOUR_MS)
  const [problem] = mails()
  expect(mails()).toHaveLength(1)
  expect(problem?.subject).toMatch(/^Computer Front desk has been offline since 20/)
  expect(problem?.text).toContain('- Switch computer Front desk on and check its network.')
  expect(problem?.text).toContain(`https://print.example.com/app/go/${computerId}`)
  expect(problem?.text).toContain('/app/live/alerts?org=')
  const agent = await connectLightAgent(world.agentAddress, credential)
  onTestFinished(() => agent.close())
  await advance(0)
  await advance(MINUTE_MS)
  await advance(HOUR_MS)
  expect(mails().map(({ subject }) => subject)).toEqual([
    problem?.subject,
    'Solved: Computer Front desk is online again',
  ])
})

test('a printer out of paper has one mail with what its display says, and one when it has paper again', async () => {
  const { addPrinter, addRule, setPrinter, advance, mails } = await startAlerts()
  const { id } = await addPrinter()
  const other = await addPrinter('live', { name: 'Other' })
  await addRule({ kind: 'printer_attention', printerId: id })
  for (const printerId of [id, other.id])
    await setPrinter(printerId, `state_reasons = '{media-empty}', state_detail = 'Tray 2 is empty'`)
  await advance(0)
  await advance(29_000)
  expect(mails()).toEqual([])
  await advance(1_000)
  await advance(HOUR_MS)
  await setPrinter(id, `state_reasons = '{}', state_detail = ''`)
  await advance(0)
  await advance(MINUTE_MS)
  await advance(HOUR_MS)
  expect(mails().map(({ subject }) => subject)).toEqual([
    'Printer Laser at computer Front desk needs attention: Tray 2 is empty',
    'Solved: Printer Laser at computer Front desk no longer needs attention',
  ])
})

test('a problem that ends before its mail has none', async () => {
  const { addPrinter, addRule, setPrinter, advance, mails, count } = await startAlerts()
  const { id } = await addPrinter()
  await addRule({ kind: 'printer_offline', printerId: id, afterMinutes: 5 })
  await setPrinter(id, `known_state = 'offline'`)
  await advance(0)
  expect(await count('incident')).toBe(1)
  await setPrinter(id, `known_state = 'online'`)
  await advance(HOUR_MS)
  expect(mails()).toEqual([])
  expect(await count('incident')).toBe(0)
})

test('failed jobs of a printer have one mail with the explanation of the last one, and one when a later job is printed', async () => {
  const { api, addPrinter, addRule, advance, mails, world, untilRecorded, query } = await startAlerts()
  const printer = await addPrinter()
  await addRule({ kind: 'job_failed' })
  await advance(0)
  const fail = async (title: string) => {
    const { body } = await api.post('/v1/printjobs', printJob(printer.id, { title, expireAfter: 60 }))
    world.advance(61_000)
    await world.sweep('jobs', 'expired')
    return body.id as string
  }
  await fail('Invoice 1')
  const last = await fail('Invoice 2')
  await untilRecorded(2)
  await advance(0)
  await advance(MINUTE_MS)
  await fail('Invoice 3')
  await untilRecorded(3)
  await advance(HOUR_MS)
  const [mail] = mails()
  expect(mails()).toHaveLength(1)
  expect(mail?.subject).toBe('2 jobs for printer Laser failed')
  expect(mail?.text).toMatch(/^Job "Invoice 2": Not printed\. The job expired before it was printed\. It waited for /m)
  expect(mail?.text).toContain('- Print the job again.')
  expect(mail?.text).toContain(`https://print.example.com/app/go/${last}`)
  await query(`INSERT INTO webhooks.event
    SELECT uuidv7(), organization_id, mode, 'printjob.done', body, now() FROM webhooks.event
    WHERE organization_id = $1 AND type = 'printjob.queued' LIMIT 1`)
  await untilRecorded(4)
  await advance(0)
  await advance(MINUTE_MS)
  await advance(HOUR_MS)
  expect(mails().map(({ subject }) => subject)).toEqual([
    mail?.subject,
    'Solved: Printer Laser has printed a later job',
  ])
})

test('a job that waits longer than the duration has one mail with its explanation, and one when no job waits so long', async () => {
  const { api, addPrinter, addRule, advance, mails } = await startAlerts()
  const printer = await addPrinter()
  await addRule({ kind: 'job_waiting', afterMinutes: 10 })
  const { body: job } = await api.post('/v1/printjobs', printJob(printer.id))
  await advance(9 * MINUTE_MS)
  expect(mails()).toEqual([])
  await advance(MINUTE_MS)
  await advance(MINUTE_MS)
  const [mail] = mails()
  expect(mail?.text).toContain('"Invoice": Not printed yet. Computer Front desk has been offline')
  await api.post('/v1/printjobs', printJob(printer.id))
  await api.post(`/v1/printjobs/${job.id}/cancel`, {})
  await advance(6 * MINUTE_MS)
  await advance(MINUTE_MS)
  expect(mails()).toHaveLength(2)
  expect(mails()[1]?.subject).toBe('Solved: No job waits too long for printer Laser')
})

test('a failed job whose event an older transaction hides is in the next evaluation, and counted once, whatever rules its member has elsewhere', async () => {
  const { id, owner, api, addPrinter, addRule, advance, mails, world, query, find } = await startAlerts()
  const printer = await addPrinter()
  await addRule({ kind: 'job_failed' })
  const other = await newOrganization()
  await world.accounts.addMember({ organizationId: other.id, email: owner.email, role: 'member' })
  await world.query(
    `WITH member AS (INSERT INTO webhooks.alert_member (organization_id, user_id) VALUES ($2, $3))
     INSERT INTO webhooks.alert_rule (id, organization_id, mode, user_id, kind, after_minutes, created_at)
     VALUES (uuidv7(), $1, 'test', $3, 'job_failed', 0, now()), (uuidv7(), $2, 'live', $3, 'job_failed', 0, now())`,
    [id, other.id, owner.userId],
  )
  await find()
  await api.post('/v1/printjobs', printJob(printer.id))
  await waitFor(async () => {
    await world.sweep('webhooks', 'event logs')
    expect(await query('SELECT FROM webhooks.event WHERE organization_id = $1')).not.toEqual([])
  })
  const commit = await holdTransaction(world.pool, (client) => client.query('SELECT pg_current_xact_id()'))
  await query(`INSERT INTO webhooks.event
    SELECT uuidv7(), organization_id, mode, 'printjob.expired', body, now() FROM webhooks.event
    WHERE organization_id = $1 AND type = 'printjob.queued' LIMIT 1`)
  await find()
  await commit()
  await untilVisible(world.pool)
  await advance(0)
  await advance(MINUTE_MS)
  expect(mails().map(({ subject }) => subject)).toEqual(['A job for printer Laser failed'])
})

test('a mail has the problems of one member in one organization since the last mail, and delays no mail of others', async () => {
  const { id, world, owner, addPrinter, addRule, advance, mails } = await startAlerts()
  const other = await newOrganization()
  const colleague = await signInAs({ id, world }, 'member')
  await addRule({ kind: 'printer_attention' })
  expect((await colleague.post('/account/alerts', { kind: 'printer_attention' })).status).toBe(201)
  await world.accounts.addMember({ organizationId: other.id, email: owner.email, role: 'member' })
  await world.query(
    `WITH member AS (INSERT INTO webhooks.alert_member (organization_id, user_id) VALUES ($1, $2))
     INSERT INTO webhooks.alert_rule (id, organization_id, mode, user_id, kind, after_minutes, created_at)
     VALUES (uuidv7(), $1, 'live', $2, 'printer_attention', 0, now())`,
    [other.id, owner.userId],
  )
  const addPrinters = async (name: string) => [
    await addPrinter('live', { name }),
    await other.addPrinter('live', { name: `Other ${name}` }),
  ]
  const set = (printers: { id: string }[], reasons: string) =>
    world.query('UPDATE devices.printer SET state_reasons = $2 WHERE id = ANY($1)', [
      printers.map((printer) => printer.id),
      reasons,
    ])
  const [first, second] = [await addPrinters('First'), await addPrinters('Second')]
  const shown = (address?: string) =>
    mails(address)
      .map(({ subject }) => /^(Solved: )?Printer ((Other )?\w+) at/.exec(subject)?.slice(1, 3).join('') ?? subject)
      .toSorted()
  await set(first, '{media-jam}')
  await advance(0)
  await advance(MINUTE_MS)
  expect([shown(), shown(colleague.email)]).toEqual([['First', 'Other First'], ['First']])
  await set(second, '{media-jam}')
  await advance(0)
  await advance(6 * MINUTE_MS)
  expect([shown(), shown(colleague.email)]).toEqual([
    ['First', 'Other First', 'Other Second', 'Second'],
    ['First', 'Second'],
  ])
  await set(first, '{}')
  await advance(0)
  await advance(6 * MINUTE_MS)
  expect([shown().slice(-2), shown(colleague.email).slice(-1)]).toEqual([
    ['Solved: First', 'Solved: Other First'],
    ['Solved: First'],
  ])
})

test('a problem that returns while its mail is written has no mail that it is solved', async () => {
  const { api, addPrinter, addRule, advance, mails, world, query, send, find } = await startAlerts()
  const printers = [await addPrinter('live', { name: 'First' }), await addPrinter('live', { name: 'Second' })]
  await addRule({ kind: 'job_waiting', afterMinutes: 10 })
  const jobs = await Promise.all(printers.map(({ id }) => api.post('/v1/printjobs', printJob(id))))
  await advance(10 * MINUTE_MS)
  await advance(MINUTE_MS)
  expect(mails()).toHaveLength(1)
  for (const { body } of jobs) await api.post(`/v1/printjobs/${body.id}/cancel`, {})
  await find()
  world.advance(6 * MINUTE_MS)
  world.intercept(JobsService.method.getJobDetails, async (request, next) => {
    // Another replica evaluates.
    await query(
      `UPDATE webhooks.incident SET solved_at = NULL, due_at = NULL
       WHERE organization_id = $1 AND resource_id = '${printers[0]?.id}'`,
    )
    return await next(request)
  })
  onTestFinished(() => world.intercept(JobsService.method.getJobDetails, (request, next) => next(request)))
  await send()
  expect(mails()).toHaveLength(1)
  await send()
  expect(
    mails()
      .slice(1)
      .map(({ subject }) => subject),
  ).toEqual(['Solved: No job waits too long for printer Second'])
})

test('the rules and mails of another organization, and mails of an hour ago that are sent later, do not count for the limits', async () => {
  const { id, owner, addRule, addPrinter, setPrinter, advance, mails, world } = await startAlerts()
  const now = world.clock.now()
  for (const [organizationId, userId, at] of [
    [uuidv7(), uuidv7(), now],
    [id, owner.userId, new Date(now.getTime() - 60 * MINUTE_MS)],
  ])
    await world.query(
      `INSERT INTO webhooks.alert_mail (id, organization_id, user_id, subject, text, created_at, due_at)
       SELECT uuidv7(), $1, $2, '', '', $3, '2100-01-01' FROM generate_series(1, $4::int)`,
      [organizationId, userId, at, BUDGETS.alertMails.max],
    )
  await world.query(
    `INSERT INTO webhooks.alert_rule (id, organization_id, mode, user_id, kind, after_minutes, created_at)
     SELECT uuidv7(), $1, 'test', uuidv7(), 'job_failed', 0, now() FROM generate_series(1, $2::int)`,
    [uuidv7(), BUDGETS.alertRules.max],
  )
  await addRule({ kind: 'printer_attention' })
  await setPrinter((await addPrinter()).id, `state_reasons = '{media-jam}'`)
  await advance(0)
  await advance(MINUTE_MS)
  expect(mails()).toHaveLength(1)
})

test('the alerts of a former member are deleted, and those of other members and in other organizations are kept', async () => {
  const { id, world, owner, find, addPrinter } = await startAlerts()
  const other = await newOrganization()
  const { email, userId } = await signInAs({ id, world }, 'member')
  await world.accounts.addMember({ organizationId: other.id, email, role: 'member' })
  const { computerId } = await addPrinter()
  const members = [
    [id, userId, computerId],
    [id, owner.userId, computerId],
    [other.id, userId, (await other.addPrinter()).computerId],
  ]
  for (const member of members)
    await world.query(
      `WITH member AS (INSERT INTO webhooks.alert_member (organization_id, user_id) VALUES ($1, $2)),
       rule AS (
         INSERT INTO webhooks.alert_rule (id, organization_id, mode, user_id, kind, after_minutes, created_at)
         VALUES (uuidv7(), $1, 'live', $2, 'computer_offline', 30, now())
       ),
       mail AS (
         INSERT INTO webhooks.alert_mail (id, organization_id, user_id, subject, text, created_at)
         VALUES (uuidv7(), $1, $2, '', '', now())
       )
       INSERT INTO webhooks.incident (id, organization_id, mode, user_id, kind, resource_id, computer_id, facts, since,
         notified_at)
       VALUES (uuidv7(), $1, 'live', $2, 'computer_offline', $3, $3, '{}', now(), now())`,
      member,
    )
  await world.accounts.removeMember({ organizationId: id, userId })
  await find()
  for (const table of ['alert_member', 'alert_rule', 'alert_mail', 'incident']) {
    const rows = await world.query(
      `SELECT organization_id, user_id FROM webhooks.${table} WHERE organization_id = ANY ($1)`,
      [[id, other.id]],
    )
    expect(rows.map((row) => [row.organization_id, row.user_id]).toSorted(), table).toEqual(
      members
        .slice(1)
        .map((member) => member.slice(0, 2))
        .toSorted(),
    )
  }
})

test('100 problems at once are one mail, which shows 20', async () => {
  const { addPrinter, addRule, advance, mails, query } = await startAlerts()
  const { computerId } = await addPrinter()
  for (let n = 2; n <= 100; n++) await addPrinter('live', { computerId, name: `Laser ${n}` })
  await addRule({ kind: 'printer_attention' })
  await query(`UPDATE devices.printer SET state_reasons = '{media-jam}' WHERE organization_id = $1`)
  await advance(0)
  await advance(MINUTE_MS)
  await advance(HOUR_MS)
  expect(mails().map(({ subject }) => subject)).toEqual(['100 alerts in Corner shop'])
  expect(mails()[0]?.text.match(/needs attention/g)).toHaveLength(20)
  expect(mails()[0]?.text).toContain('80 more are not shown here.')
})

test('a mail whose process ends before it is sent is sent once by another; one that ends after it repeats it with the same Message-ID', async () => {
  const { addPrinter, addRule, setPrinter, webhooks, world, find, send, mails } = await startAlerts()
  const { id } = await addPrinter()
  await addRule({ kind: 'printer_attention' })
  await setPrinter(id, `state_reasons = '{media-jam}'`)
  await find()
  world.advance(MINUTE_MS)
  const killed = new Error('killed')
  const before = { ...webhooks, mailer: { send: () => Promise.reject(killed) } }
  await expect(send(before)).rejects.toBe(killed)
  await send()
  expect(mails()).toEqual([])
  const after = {
    ...webhooks,
    mailer: {
      send: (mail: Parameters<typeof webhooks.mailer.send>[0]) =>
        webhooks.mailer.send(mail).then(() => Promise.reject(killed)),
    },
  }
  world.advance(5 * MINUTE_MS)
  await expect(send(after)).rejects.toBe(killed)
  await send()
  expect(mails()).toHaveLength(1)
  world.advance(5 * MINUTE_MS)
  await send()
  world.advance(HOUR_MS)
  await send()
  const [first, second] = mails()
  expect(mails()).toHaveLength(2)
  expect(second?.id).toBe(first?.id)
})

test('a replica neither sends nor waits for a mail that another one sends', async () => {
  const {
    id: organizationId,
    addPrinter,
    addRule,
    setPrinter,
    webhooks,
    world,
    find,
    send,
    mails,
  } = await startAlerts()
  const { id } = await addPrinter()
  await addRule({ kind: 'printer_attention' })
  await setPrinter(id, `state_reasons = '{media-jam}'`)
  await find()
  world.advance(MINUTE_MS)
  await send({ ...webhooks, mailer: { send: () => Promise.reject(new MailFailure('the server answered 452')) } })
  world.advance(MINUTE_MS)
  const commit = await holdTransaction(world.pool, (client) =>
    client.query('SELECT FROM webhooks.alert_mail WHERE organization_id = $1 FOR UPDATE', [organizationId]),
  )
  await send()
  expect(mails()).toEqual([])
  await commit()
  await send()
  expect(mails()).toHaveLength(1)
})

test('a refused mail is tried again after 1 minute, then after twice the time, and discarded after three days', async () => {
  const { addPrinter, addRule, setPrinter, webhooks, world, owner, find, send, query } = await startAlerts()
  const { id } = await addPrinter()
  await addRule({ kind: 'printer_attention' })
  await setPrinter(id, `state_reasons = '{media-jam}'`)
  await find()
  world.advance(MINUTE_MS)
  const tries: number[] = []
  const refusing = {
    ...webhooks,
    mailer: {
      async send({ to }: Mail) {
        // Members of other organizations get mails as well.
        if (to === owner.email) tries.push(world.clock.now().getTime())
        throw new MailFailure('the server answered 452')
      },
    },
  }
  const dueMinutes = async () => {
    await send(refusing)
    const [mail] = await query('SELECT due_at, text FROM webhooks.alert_mail WHERE organization_id = $1')
    return mail?.due_at && (mail.due_at.getTime() - world.clock.now().getTime()) / MINUTE_MS
  }
  expect(await dueMinutes()).toBe(1)
  world.advance(MINUTE_MS - 1)
  expect(await dueMinutes()).toBe(1 / MINUTE_MS)
  world.advance(1)
  expect(await dueMinutes()).toBe(2)
  world.advance(72 * HOUR_MS - MINUTE_MS - 1)
  expect(await dueMinutes()).toBe(4)
  world.advance(HOUR_MS)
  expect(await dueMinutes()).toBeNull()
  expect(tries).toHaveLength(4)
})

test('a suspended organization gets its mails after it is resumed', async () => {
  const { id: organizationId, world, addPrinter, addRule, setPrinter, advance, mails } = await startAlerts()
  const { id } = await addPrinter()
  await addRule({ kind: 'printer_attention' })
  await setPrinter(id, `state_reasons = '{media-jam}'`)
  await advance(0)
  const suspend = async (isSuspended: boolean) => {
    await world.accounts.setSuspended({ organizationId, isSuspended })
    await world.sweep('webhooks', 'suspended organizations')
  }
  await suspend(true)
  await advance(HOUR_MS)
  expect(mails()).toEqual([])
  await suspend(false)
  await advance(0)
  expect(mails()).toHaveLength(1)
})

test('a member gets at most one mail in 5 minutes, and an organization 60 in an hour; the others are in later mails', async () => {
  const { addPrinter, addRule, setPrinter, advance, mails, query, id: organizationId } = await startAlerts()
  const printers = [await addPrinter(), await addPrinter('live', { name: 'Labels' })]
  await addRule({ kind: 'printer_attention' })
  await setPrinter(printers[0]?.id ?? '', `state_reasons = '{media-jam}'`)
  await advance(0)
  await advance(MINUTE_MS)
  await setPrinter(printers[1]?.id ?? '', `state_reasons = '{media-jam}'`)
  await advance(0)
  await advance(4 * MINUTE_MS)
  expect(mails()).toHaveLength(1)
  await query(
    `INSERT INTO webhooks.alert_mail (id, organization_id, user_id, subject, text, created_at)
     SELECT uuidv7(), $1, uuidv7(), '', '', created_at + interval '1 min'
     FROM webhooks.alert_mail, generate_series(1, 59) WHERE organization_id = $1`,
  )
  await advance(55 * MINUTE_MS)
  expect(mails(), organizationId).toHaveLength(1)
  await advance(MINUTE_MS)
  expect(mails()).toHaveLength(2)
})

test('names and titles cannot add headers or lines to a mail', async () => {
  const { addPrinter, addRule, setPrinter, advance, mails, query } = await startAlerts()
  const { id } = await addPrinter()
  await addRule({ kind: 'printer_attention' })
  await query(
    `UPDATE devices.computer SET name = E'Desk\\r\\nBcc: eve@example.com\\r\\n\\r\\nHello' WHERE organization_id = $1`,
  )
  await setPrinter(
    id,
    `state_reasons = '{media-jam}', display_name = E'Laser\\nClick here', state_detail = E'a\\u2028b'`,
  )
  await advance(0)
  await advance(MINUTE_MS)
  const [mail] = mails()
  expect(mail?.head).not.toMatch(/^Bcc:/m)
  expect(mail?.text.split('\r\n')[0]).toBe(
    'Printer Laser Click here at computer Desk Bcc: eve@example.com Hello needs attention: a b.',
  )
})

test('alerts of former members, deleted computers and removed printers are deleted, without a mail', async () => {
  const { id, world, owner, addPrinter, addRule, setPrinter, advance, mails, count, api } = await startAlerts()
  await signInAs({ id, world }, 'owner')
  const printer = await addPrinter()
  const removed = await addPrinter('live', { name: 'Removed' })
  await addRule({ kind: 'printer_offline', printerId: removed.id })
  await addRule({ kind: 'printer_attention' })
  await addRule({ kind: 'computer_offline', computerId: printer.computerId })
  for (const printerId of [printer.id, removed.id])
    await setPrinter(printerId, `state_reasons = '{media-jam}', known_state = 'offline'`)
  await advance(0)
  await advance(MINUTE_MS)
  expect(mails()).toHaveLength(1)
  await setPrinter(removed.id, 'removed_at = now()')
  await api.delete(`/v1/computers/${printer.computerId}`)
  await advance(HOUR_MS)
  expect(await count('incident')).toBe(0)
  // The five default rules of both owners, and the one about all printers.
  expect(await count('alert_rule')).toBe(11)
  expect(mails()).toHaveLength(1)
  await world.accounts.removeMember({ organizationId: id, userId: owner.userId })
  await advance(0)
  expect([await count('alert_rule'), await count('alert_member'), await count('alert_mail')]).toEqual([5, 1, 0])
})

test('an organization whose problems cannot be read delays no alert of others', async () => {
  const { addOfflineComputer, advance, mails, world } = await startAlerts()
  const others = [await newOrganization(), await newOrganization()]
  for (const other of others) {
    const owner = await signInAs(other, 'owner')
    expect((await owner.post('/account/alerts', { kind: 'printer_attention' })).status).toBe(201)
  }
  const [broken] = others.map(({ id }) => id)
  world.intercept(DevicesService.method.listProblems, async (request, next) => {
    const { organizationIds } = request.message as unknown as { organizationIds: string[] }
    if (organizationIds.includes(broken ?? '')) throw new ConnectError('message too large', Code.ResourceExhausted)
    return await next(request)
  })
  onTestFinished(() => world.intercept(DevicesService.method.listProblems, (request, next) => next(request)))
  await addOfflineComputer()
  await advance(30 * MINUTE_MS)
  await advance(MINUTE_MS)
  expect(mails()).toHaveLength(1)
})

test('a failure of another service ends no problem', async () => {
  const { addPrinter, addRule, setPrinter, advance, mails, find, world } = await startAlerts()
  const { id } = await addPrinter()
  await addRule({ kind: 'printer_attention' })
  await setPrinter(id, `state_reasons = '{media-jam}'`)
  await advance(0)
  await advance(MINUTE_MS)
  world.intercept(DevicesService.method.listProblems, () => Promise.reject(new ConnectError('gone', Code.Unavailable)))
  await expect(find()).rejects.toThrow()
  world.intercept(DevicesService.method.listProblems, (request, next) => next(request))
  await advance(HOUR_MS)
  expect(mails()).toHaveLength(1)
})

test('an evaluation changes nothing if another one was made since it read the problems', async () => {
  const { addPrinter, addRule, setPrinter, advance, mails, find, world } = await startAlerts()
  const { id } = await addPrinter()
  await addRule({ kind: 'printer_attention' })
  const [hasRead, isHeld] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  world.intercept(DevicesService.method.listProblems, async (request, next) => {
    world.intercept(DevicesService.method.listProblems, (other, nextOfOther) => nextOfOther(other))
    const answer = await next(request)
    hasRead.resolve()
    await isHeld.promise
    return answer
  })
  const late = find()
  await hasRead.promise
  await setPrinter(id, `state_reasons = '{media-jam}'`)
  await find()
  isHeld.resolve()
  await late
  await advance(MINUTE_MS)
  expect(mails()).toHaveLength(1)
})

test('an owner gets one mail when an endpoint has failed for an hour, one when it was disabled, and one when it is enabled again', async () => {
  const { addEndpoint, setEndpoint, advance, mails, world, sweepFailing } = await startAlerts()
  const id = await addEndpoint(59 * MINUTE_MS)
  await setEndpoint(await addEndpoint(0), 'failing_since = NULL, last_error = NULL, last_status_code = NULL')
  await advance(0)
  expect(mails()).toEqual([])
  await advance(MINUTE_MS)
  await advance(MINUTE_MS)
  await advance(HOUR_MS)
  const [failing] = mails()
  expect(mails()).toHaveLength(1)
  expect(failing?.subject).toMatch(
    /^Webhook endpoint user\.example\.com:8443 has been failing since .* UTC: the response was not successful \(HTTP status 503\)$/,
  )
  expect(failing?.text).toContain(`https://print.example.com/app/go/${id}`)
  expect(failing?.text).not.toMatch(/token|hook\//)
  await setEndpoint(id, `failing_since = '${new Date(world.clock.now().getTime() - 120 * HOUR_MS).toISOString()}'`)
  await Promise.all([sweepFailing(), sweepFailing()])
  await advance(0)
  await advance(MINUTE_MS)
  await advance(HOUR_MS)
  expect(mails()[1]?.subject).toMatch(/^Webhook endpoint user\.example\.com:8443 was disabled/)
  await setEndpoint(id, 'enabled = true, disabled_reason = NULL, disabled_at = NULL, failing_since = NULL')
  await advance(0)
  await advance(MINUTE_MS)
  await advance(HOUR_MS)
  expect(mails()).toHaveLength(3)
  expect(mails()[2]?.text).toContain('Webhook endpoint user.example.com:8443 no longer fails.')
  expect(mails()[2]?.text).toContain('Webhook endpoint user.example.com:8443 is enabled again.')
})

test('an endpoint that a user has disabled or deleted, or that has no alert any more, has no further mail', async () => {
  const { addEndpoint, setEndpoint, advance, mails, query, count, owner } = await startAlerts()
  const [disabled, deleted] = [await addEndpoint(2 * HOUR_MS), await addEndpoint(2 * HOUR_MS)]
  await advance(0)
  await advance(MINUTE_MS)
  expect(mails().map(({ subject }) => subject)).toEqual(['2 alerts in Corner shop'])
  await setEndpoint(disabled, `enabled = false, disabled_reason = 'user'`)
  await query(`DELETE FROM webhooks.endpoint WHERE organization_id = $1 AND id = '${deleted}'`)
  await advance(HOUR_MS)
  await advance(HOUR_MS)
  expect([mails().length, await count('incident')]).toEqual([1, 0])
  for (const { id, kind } of (await owner.get('/account/alerts')).body.data)
    if (kind === 'endpoint_failing') await owner.delete(`/account/alerts/${id}`)
  await addEndpoint(2 * HOUR_MS)
  await advance(0)
  await advance(HOUR_MS)
  expect(mails()).toHaveLength(1)
})

test('a member who has lost the role of owner or admin gets no mail about endpoints', async () => {
  const { addEndpoint, advance, mails, world, id: organizationId } = await startAlerts()
  const admin = await signInAs({ id: organizationId, world }, 'admin')
  expect((await admin.post('/account/alerts', { kind: 'endpoint_failing' })).status).toBe(201)
  await world.accounts.updateMember({ organizationId, userId: admin.userId, role: 'member' })
  await addEndpoint(2 * HOUR_MS)
  await advance(0)
  await advance(MINUTE_MS)
  expect([mails().length, mails(admin.email)]).toEqual([1, []])
})

test('failures that a replica of 0.1 has reported are not reported again; its unsent mails are', async () => {
  const { addEndpoint, advance, mails, query, setEndpoint, world, find } = await startAlerts()
  // The clock of the world may be days ahead of the database's.
  const now = `'${world.clock.now().toISOString()}'::timestamptz`
  const [sent, unsent, disabled, late, again] = [
    await addEndpoint(26 * HOUR_MS),
    await addEndpoint(27 * HOUR_MS),
    await addEndpoint(121 * HOUR_MS),
    await addEndpoint(28 * HOUR_MS),
    await addEndpoint(29 * HOUR_MS),
  ]
  await setEndpoint(unsent, `url = 'https://unsent.example.com'`)
  await setEndpoint(late, `url = 'https://late.example.com'`)
  await setEndpoint(
    disabled,
    `enabled = false, disabled_reason = 'failures', disabled_at = ${now}, url = 'https://disabled.example.com'`,
  )
  await query(
    `INSERT INTO webhooks.failure_alert (endpoint_id, id, severity, failing_since, created_at, due_at)
     SELECT id, uuidv7(), '1 day', failing_since, ${now}, CASE WHEN id IN ('${unsent}', '${late}') THEN ${now} END
     FROM webhooks.endpoint WHERE organization_id = $1`,
  )
  // It has succeeded since, and fails again.
  await setEndpoint(again, `url = 'https://again.example.com', failing_since = failing_since + interval '1 hour'`)
  await find()
  await query(`UPDATE webhooks.failure_alert SET due_at = NULL WHERE endpoint_id = '${late}' AND $1::uuid IS NOT NULL`)
  await advance(MINUTE_MS)
  expect(mails()).toHaveLength(1)
  const { text = '' } = mails()[0] ?? {}
  expect(text).toContain('Webhook endpoint unsent.example.com has been failing')
  expect(text).toContain('Webhook endpoint disabled.example.com was disabled')
  expect(text).toContain('Webhook endpoint again.example.com has been failing')
  expect(text).not.toMatch(/disabled\.example\.com has been failing|user\.example\.com|late\.example\.com/)
  // Its replica sends the mail after all.
  await query(
    `UPDATE webhooks.failure_alert SET due_at = NULL FROM webhooks.endpoint
     WHERE endpoint.id = endpoint_id AND organization_id = $1`,
  )
  await setEndpoint(sent, 'failing_since = NULL')
  await advance(0)
  await advance(HOUR_MS)
  expect(mails()).toHaveLength(1)
})
