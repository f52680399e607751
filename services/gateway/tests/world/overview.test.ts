/** The overview of the dashboard. The states of its strip and its figures: `tables/overview.test.ts`. */
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { UsageService } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import { EndpointsService } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { EventsService } from '@platen/proto/gen/platen/webhooks/v1/events_pb.ts'
import { signInAs } from '@platen/test/harness/browser.ts'
import { newOrganization } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { startStatistics } from '../../../usage/tests/test-statistics.ts'
import { unavailable } from '../client.ts'

const HOUR_MS = 60 * 60_000
const WAITED_MS = 5 * 60_000 + 1

type Role = Parameters<typeof signInAs>[1]

async function startOverview(role: Role = 'owner') {
  const organization = await startStatistics()
  const { world } = organization
  const browser = await signInAs(organization, role)
  const setComputer = (printer: { computerId: string }, state: string) =>
    world.query('UPDATE devices.computer SET state = $2, last_seen_at = $3 WHERE id = $1', [
      printer.computerId,
      state,
      world.clock.now(),
    ])
  for (const printer of [organization.till, organization.office]) await setComputer(printer, 'online')
  return {
    ...organization,
    browser,
    setComputer,
    setPrinter: (printer: { id: string }, assignments: string) =>
      world.query(`UPDATE devices.printer SET ${assignments} WHERE id = $1`, [printer.id]),
    async addWebhook(): Promise<string> {
      world.addHost('hooks.example.com', ['93.184.216.34'], 9)
      const endpoint = { url: 'https://hooks.example.com/in', events: ['printjob.done'] }
      return (await organization.api.post('/v1/webhooks', endpoint)).body.id
    },
    async read(mode = 'live', reader = browser) {
      const { status, body } = await reader.get('/account/overview', { headers: { 'platen-mode': mode } })
      expect(status, JSON.stringify(body)).toBe(200)
      return body
    },
  }
}

const shown = ({ attention }: { attention: { entries: { kind: string; code: string; text: string }[] } }) =>
  attention.entries.map(({ kind, code, text }) => `${kind} ${code}: ${text}`)

test('failed jobs of 24 hours are one entry for each reason, with the cause at their printer', async () => {
  proves('account.overview', 'account.overview.failed')
  const { till, office, end, count, read, world } = await startOverview()
  await end(office, {}, ['unconfirmed'])
  world.advance(25 * HOUR_MS)
  await end(till, {}, ['fetch-failed'])
  await end(till, {}, ['fetch-failed'])
  await end(till, {}, ['unconfirmed'])
  await end(office, {}, ['unconfirmed'])
  await count()
  const found = await read()
  expect(shown(found)).toEqual([
    'failed-jobs fetch-failed: 2 jobs failed in the last 24 hours. The document could not be fetched from its URL.',
    'failed-jobs unconfirmed: 2 jobs of 2 printers failed in the last 24 hours. Printed or not is unknown.',
  ])
  expect(found.attention).toMatchObject({
    hasMore: false,
    entries: [{ jobs: 2, printerId: till.id }, { printerId: null }],
  })
})

test('jobs that wait for more than 5 minutes are one entry for the computer or printer that the explanation names', async () => {
  proves('account.overview.waiting')
  const { till, office, createJob, addPrinter, setPrinter, setComputer, read, world } = await startOverview()
  const second = await addPrinter('live', { computerId: till.computerId, name: 'Label' })
  await createJob(till)
  await createJob(second)
  await createJob(office)
  await createJob(office)
  await setPrinter(office, 'enabled = false')
  world.advance(WAITED_MS)
  expect(shown(await read())).toEqual(['waiting-jobs printer-disabled: 2 jobs wait. Printer Laser is disabled.'])
  await setComputer(till, 'offline')
  world.advance(3 * HOUR_MS)
  const found = await read()
  expect(shown(found)).toEqual([
    'waiting-jobs computer-offline: 2 jobs wait. Computer Front desk has been offline for 3 h 0 min.',
    'waiting-jobs printer-disabled: 2 jobs wait. Printer Laser is disabled.',
  ])
  expect(found).toMatchObject({
    waiting: { jobs: 4, isMinimum: false },
    attention: { entries: [{ computerId: till.computerId, printerId: null }, { printerId: office.id }] },
  })
})

test('a job that the agent does not acknowledge is an entry with the number of attempts', async () => {
  const { till, createJob, read, world } = await startOverview()
  const { computerId } = till
  await createJob(till)
  const claim = (queuedOnly: boolean) =>
    world.jobs.claimJobs({ claims: [{ computerId, epoch: 1n, limit: 8, queuedOnly }] })
  await world.jobs.reconcileComputer({ computerId, epoch: 1n, heldJobIds: [] })
  await claim(true)
  world.advance(WAITED_MS)
  expect(shown(await read())).toEqual([])
  await world.sweep('jobs', 'unacknowledged')
  await claim(false)
  expect(shown(await read())).toEqual([
    'waiting-jobs not-acknowledged: 1 job waits. The agent on computer Front desk has not acknowledged the job, which was sent 2 times.',
  ])
})

test('computers, printers, webhook endpoints and the plan have the entries of their problems', async () => {
  proves('account.overview.problems')
  const { till, office, id, api, addWebhook, setComputer, setPrinter, read, world, addPrinter, createJob, count } =
    await startOverview()
  await api.post('/v1/destinations', { name: 'kitchen', printers: [till.id] })
  const lonely = await addPrinter('live', { computerId: office.computerId, name: 'Lonely' })
  await setPrinter(lonely, `known_state = 'offline'`)
  await setComputer(till, 'offline')
  await setPrinter(till, `state_reasons = '{media-jam}'`)
  await setPrinter(office, `state_reasons = '{media-empty}', state_detail = 'Tray 2 is empty'`)
  const [failing, disabled] = [await addWebhook(), await addWebhook()]
  await addWebhook()
  await world.query('UPDATE webhooks.endpoint SET failing_since = $2 WHERE id = $1', [failing, '2026-01-02T03:04:05Z'])
  await world.query(`UPDATE webhooks.endpoint SET enabled = false, disabled_reason = 'failures' WHERE id = $1`, [
    disabled,
  ])
  await world.usage.setPlan({ organizationId: id, printsLimit: 5 })
  for (let n = 0; n < 4; n++) await createJob(office)
  await count()
  const found = shown(await read())
  expect(found.map((text) => text.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, 'TIME'))).toEqual([
    'destination destination_unavailable: No printer of destination kitchen is available since TIME UTC: Laser: computer offline.',
    'computer computer_offline: Computer Front desk has been offline since TIME UTC.',
    'printer printer_attention: Printer Laser at computer Front desk needs attention: Tray 2 is empty.',
    'printer printer_offline: Printer Lonely at computer Front desk is offline.',
    expect.stringMatching(
      /^webhook webhook-(failing: .* has been failing since TIME UTC|disabled: .* all its deliveries failed)\.$/,
    ),
    expect.stringMatching(/^webhook webhook-(failing|disabled): Webhook endpoint https:\/\/hooks\.example\.com\/in /),
    'plan plan-limit-near: 4 of 5 prints of this month are used.',
  ])
  expect(found[4]).not.toBe(found[5])
})

test('another organization and the other mode see nothing of it, and a member no webhook endpoints and no check list', async () => {
  proves('account.overview.isolation')
  const organization = await startOverview()
  const { till, createJob, end, count, addWebhook, world, read, setComputer } = organization
  await end(till)
  await end(till, {}, ['unconfirmed'])
  await createJob(till)
  await world.query('UPDATE webhooks.endpoint SET failing_since = now() WHERE id = $1', [await addWebhook()])
  await setComputer(till, 'offline')
  world.advance(WAITED_MS)
  await count()
  const other = await signInAs(await newOrganization(world), 'owner')
  const empty = await read('live', other)
  for (const none of [empty, await read('test')]) {
    expect(none.attention).toEqual({ entries: [], hasMore: false })
    expect(none.waiting).toEqual({ jobs: 0, isMinimum: false })
    expect(
      none.figures.hours.every(({ printed, failed }: { printed: number; failed: number }) => printed + failed === 0),
    ).toBe(true)
    expect(JSON.stringify(none)).not.toContain(till.id)
  }
  expect(empty).toMatchObject({ printers: { online: 0, total: 0 }, strip: { printers: [] }, namedPrinters: [] })
  const kinds = (found: { attention: { entries: { kind: string }[] } }) =>
    found.attention.entries.map(({ kind }) => kind)
  expect(kinds(await read())).toEqual(['failed-jobs', 'waiting-jobs', 'webhook'])
  const member = await read('live', await signInAs(organization, 'member'))
  expect(kinds(member)).toEqual(['failed-jobs', 'waiting-jobs'])
  expect(member.checklist).toBe(null)
})

test('the figures equal a recount of the jobs by the hours of their ends', async () => {
  proves('account.overview.figures')
  const { till, office, end, createJob, count, read, world, id } = await startOverview()
  // No job ends in another hour than the others.
  world.advance(HOUR_MS - (world.clock.now().getTime() % HOUR_MS))
  await end(till)
  await end(office, {}, ['unconfirmed'])
  world.advance(2 * HOUR_MS)
  await end(till)
  await end(office)
  await createJob(till)
  await count()
  const { figures } = await read()
  const recount = await world.query(
    `SELECT to_char(date_trunc('hour', finished_at, 'UTC') AT TIME ZONE 'UTC',
       'YYYY-MM-DD"T"HH24:00:00.000"Z"') AS start,
       (count(*) FILTER (WHERE state = 'done'))::int AS printed,
       (count(*) FILTER (WHERE state = 'error'))::int AS failed
     FROM jobs.job WHERE organization_id = $1 AND finished_at IS NOT NULL GROUP BY 1 ORDER BY 1`,
    [id],
  )
  type Hour = Record<'start', string> &
    Record<'printed' | 'failed' | 'waiting', number> & { secondsToDone: number | null }
  const hours: Hour[] = figures.hours
  expect(hours).toHaveLength(48)
  const busy = hours.filter(({ printed, failed }) => printed + failed > 0)
  expect(busy.map(({ start, printed, failed }) => ({ start, printed, failed }))).toEqual(recount)
  expect(busy.map(({ secondsToDone }) => secondsToDone)).toEqual([expect.closeTo(8, 0), expect.closeTo(8, 0)])
  expect(figures.secondsToDone).toBeCloseTo(8, 0)
  expect(hours.at(-1)?.waiting).toBe(1)
  expect(hours.at(-3)?.waiting).toBe(0)
  expect(figures.weekBefore).toHaveLength(48)
})

test('the strip has the states of the last 24 hours by the events of the printer and its computer, those with trouble first', async () => {
  proves('account.overview.strip')
  const { till, office, id, read, world, setPrinter } = await startOverview()
  await setPrinter(office, 'enabled = false')
  const now = world.clock.now().getTime()
  const write = async (
    hoursAgo: number,
    type: string,
    data: { id: string; state: string; [more: string]: unknown },
  ) => {
    const at = new Date(now - hoursAgo * HOUR_MS)
    const body = JSON.stringify({ type, data: { ...data, enabled: true, stateReasons: [], ...data } })
    await world.query(
      `INSERT INTO webhooks.event (id, organization_id, mode, type, body, created_at, commit_seq)
       VALUES ($1, $2, 'live', $3, $4, $5, $6)`,
      [uuidv7({ msecs: at.getTime() }), id, type, body, at, 1_000 - hoursAgo],
    )
  }
  const printer = (state: string, more = {}) => ({ id: till.id, state, ...more })
  await write(30, 'printer.online', printer('online'))
  await write(20, 'printer.offline', printer('offline'))
  await write(19, 'printer.online', printer('online'))
  await write(18, 'printer.updated', printer('online', { displayName: 'Renamed' }))
  await write(10, 'printer.updated', printer('online', { stateReasons: ['media-jam'] }))
  await write(9, 'printer.updated', printer('online'))
  await write(5, 'computer.offline', { id: till.computerId, state: 'offline' })
  await write(4, 'printer.updated', printer('unknown', { displayName: 'Renamed again' }))
  await write(3, 'computer.online', { id: till.computerId, state: 'online' })
  const { strip } = await read()
  const ago = (hours: number) => new Date(now - hours * HOUR_MS).toISOString()
  expect(strip).toMatchObject({ start: ago(24), hasMore: false })
  expect(strip.printers).toEqual([
    { id: office.id, name: 'Laser', computerName: 'Front desk', segments: [{ state: 'stopped', start: ago(24) }] },
    {
      id: till.id,
      name: 'Laser',
      computerName: 'Front desk',
      segments: [
        { state: 'online', start: ago(24) },
        { state: 'offline', start: ago(20) },
        { state: 'online', start: ago(19) },
        { state: 'stopped', start: ago(10) },
        { state: 'online', start: ago(9) },
        { state: 'unknown', start: ago(5) },
        { state: 'online', start: ago(3) },
      ],
    },
  ])
})

test('the check list shows the steps that are done, until all are', async () => {
  proves('account.overview.checklist')
  const { world } = await newOrganization()
  const { organization } = await world.accounts.createOrganization({ name: 'New' })
  const id = organization?.id ?? ''
  const browser = await signInAs({ id, world }, 'owner')
  const read = async () => (await browser.get('/account/overview')).body.checklist
  expect(await read()).toEqual({ samplePrinted: false, computerAdded: false, printedOnPaper: false, keyCreated: false })
  await world.accounts.createApiKey({ organizationId: id, name: 'Till', mode: 'test', scopes: ['print'] })
  const { token } = await world.devices.createEnrollment({ organizationId: id, maxUses: 1, expiresInSeconds: 900 })
  await world.devices.enroll({ token, name: 'Till' })
  expect(await read()).toEqual({ samplePrinted: false, computerAdded: true, printedOnPaper: false, keyCreated: true })
  const printed = await startStatistics()
  await printed.end(printed.till)
  const done = await signInAs(printed, 'admin')
  expect((await done.get('/account/overview')).body.checklist).toBe(null)
})

test('the lists of devices show names, numbers and last prints of the organization and mode', async () => {
  proves('account.devices', 'account.devices.tokens')
  const organization = await startOverview()
  const { id, till, office, createJob, end, browser, world } = organization
  const read = async (mode = 'live', reader = browser) =>
    (await reader.get('/account/devices', { headers: { 'platen-mode': mode } })).body
  await end(till)
  await end(till)
  const lastPrintAt = world.clock.now().toISOString()
  await end(till, {}, ['unconfirmed'])
  await end(office, {}, ['unconfirmed'])
  for (let n = 0; n < 2; n++) await createJob(office)
  const addToken = async (facts: { maxUses: number; expiresInSeconds: number }) =>
    (await world.devices.createEnrollment({ organizationId: id, ...facts })).token
  await addToken({ maxUses: 2, expiresInSeconds: 900 })
  await addToken({ maxUses: 1, expiresInSeconds: 60 })
  await world.devices.enroll({ token: await addToken({ maxUses: 1, expiresInSeconds: 900 }), name: 'Spare' })
  world.advance(61_000)
  const found = await read()
  expect(found.computers).toHaveLength(3)
  expect(found.computers[0]).toEqual({ id: expect.any(String), name: 'Spare', printers: 0 })
  expect(found.computers).toContainEqual({ id: till.computerId, name: expect.any(String), printers: 1 })
  expect(found.printers).toEqual([
    { id: office.id, waiting: 2, lastPrintAt: null },
    { id: till.id, waiting: 0, lastPrintAt },
  ])
  for (const owner of [
    { organizationId: id, mode: 'test' },
    { organizationId: uuidv7(), mode: 'live' },
  ])
    expect(await world.jobs.listLastPrints({ ...owner, printerIds: [till.id] })).toMatchObject({ prints: [] })
  expect([found.usableEnrollments, found.agent]).toEqual([1, null])
  const member = await read('live', await signInAs(organization, 'member'))
  expect(member).toEqual({ ...found, usableEnrollments: null })
  const virtual = await read('test')
  expect([virtual.computers.length, virtual.printers.length, virtual.usableEnrollments]).toEqual([1, 4, 0])
  const other = await signInAs(await newOrganization(world), 'owner')
  expect(await read('live', other)).toMatchObject({ computers: [], printers: [], usableEnrollments: 0 })
  world.intercept(JobsService.method.listLastPrints, async () => Promise.reject(unavailable()))
  expect(await read()).toEqual({ ...found, printers: null })
})

test('a service that does not answer leaves out its parts only, and is named', async () => {
  proves('account.overview.missing')
  const { read, world } = await startOverview()
  const fail = async () => Promise.reject(unavailable())
  for (const method of [
    JobsService.method.listPrinterQueues,
    UsageService.method.listStatistics,
    UsageService.method.getUsage,
    EndpointsService.method.listEndpoints,
    EventsService.method.listStateChanges,
    AccountsService.method.listApiKeys,
  ])
    world.intercept(method, fail)
  const found = await read()
  expect(found.missing.toSorted()).toEqual(['events', 'jobs', 'keys', 'plan', 'statistics', 'webhooks'])
  expect(found).toMatchObject({
    ...{ waiting: null, figures: null, strip: null, checklist: null },
    ...{
      printers: { online: 2, total: 2 },
      computers: { online: 2, total: 2 },
      attention: { entries: [], hasMore: false },
    },
  })
})
