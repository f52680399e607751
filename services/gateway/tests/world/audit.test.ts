/** The audit log. */
import { ACTIONS } from '@platen/dashboard/src/features/audit/actions.ts'
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { createApi } from '@platen/test/harness/api.ts'
import { addSession, createBrowser, signInAs } from '@platen/test/harness/browser.ts'
import { newOrganization, printJob } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import type { Session } from '../../caller.ts'
import { DASHBOARD_OPERATIONS } from '../../dashboard-operations.ts'
import { countUnits, LIST } from '../../operation/operation.ts'
import { isRecorded } from '../../operation/record-action.ts'
import { OPERATIONS } from '../../operations.ts'
import { expectError, UNKNOWN_ID, unavailable } from '../client.ts'
import { requestTo } from '../request-to.ts'

/** With an owner who acts, and one who reads the log. */
async function newAudit() {
  const organization = await newOrganization()
  const reader = await signInAs(organization, 'admin')
  const owner = await signInAs(organization, 'owner')
  // Adds the sign-ins.
  for (const user of [reader, owner]) await user.get('/account/organization')
  return {
    ...organization,
    owner,
    reader,
    read: async (query = '') => (await reader.get(`/account/audit${query}`)).body.data,
    /** Another session reads it, because the action can end the first one. */
    readOwn: async () => {
      const other = await addSession(createBrowser(organization.world.gatewayUrl), organization.world, owner.email)
      return (await other.get('/account/session/audit')).body.data.slice(1)
    },
  }
}

/** Copied by hand from docs/reference/sessions.md#audit-log. */
const RECORDED = [
  ...['createApiKey', 'revokeApiKey', 'updateMember', 'removeMember', 'requireSignIn', 'leaveOrganization'],
  ...['createInvitation', 'withdrawInvitation', 'updateOrganization'],
  ...[
    'cancelPrintJob',
    'cancelPrintJobBatch',
    'getPrintJobDocument',
    'updatePrinter',
    'purgePrinter',
    'deleteComputer',
  ],
  ...['createDestination', 'updateDestination', 'deleteDestination'],
  ...['createEnrollment', 'deleteEnrollment', 'findNetworkPrinters', 'updateAgent', 'collectDiagnostics'],
  ...[
    'addNetworkPrinter',
    'askPrinter',
    'removeNetworkPrinter',
    'setPrinterLanguage',
    'pauseComputer',
    'resumeComputer',
  ],
  ...['createWebhook', 'updateWebhook', 'deleteWebhook', 'rotateWebhookSecret', 'testWebhook'],
  ...['replayWebhookDelivery', 'replayWebhookDeliveries'],
  ...['createPrintAccess', 'revokePrintAccess'],
]
/** In the log of the user. */
const OWN = ['signOut', 'endOtherSessions', 'endSession', 'acceptInvitation', 'declineInvitation']
const ALL = [...OPERATIONS, ...DASHBOARD_OPERATIONS]

test('every other operation that a session can call is a read, or creates or releases a print job', () => {
  const session = {} as Session
  const toCaller = (mode: string) => ({ mode, credential: { kind: 'session' as const } }) as never
  const find = (mode: string) =>
    ALL.filter((operation) => {
      const caller = operation.credential && !operation.tenant ? undefined : toCaller(mode)
      return (
        !['enrollmentToken', 'none'].includes(operation.credential ?? '') && isRecorded(operation, { caller, session })
      )
    }).map(({ operationId }) => operationId)
  const recorded = [...RECORDED, ...OWN]
  expect(find('live').toSorted()).toEqual(recorded.toSorted())
  expect(find('test').toSorted()).toEqual(recorded.filter((one) => one !== 'getPrintJobDocument').toSorted())
  const others = ALL.filter(({ operationId, method }) => method !== 'get' && !recorded.includes(operationId))
  expect(others.map(({ operationId }) => operationId).toSorted()).toEqual([
    // Each user has alerts of their own.
    'createAlertRule',
    // Draws a document that it does not store.
    'createPreview',
    'createPrintJob',
    'createPrintJobBatch',
    'deleteAlertRule',
    'enrollAgent',
    'finishSignIn',
    // Prints, as a creation does.
    'releasePrintJob',
    'startSignIn',
    'updateAlertRule',
    // Creates nothing.
    'validatePrintJob',
  ])
})

test('a recorded action uses as many units of work as a page of a list, or more', () => {
  const recorded = ALL.filter(({ operationId }) => [...RECORDED, ...OWN].includes(operationId))
  const cheap = recorded.filter((operation) => countUnits(operation, undefined, true) < LIST)
  expect(cheap.map(({ operationId }) => operationId)).toEqual([])
})

test('the dashboard has words for each recorded action', () => {
  expect(RECORDED.filter((action) => !(action in ACTIONS))).toEqual([])
})

test.each([...RECORDED, ...OWN])(
  '%s by a session is recorded with actor, target, outcome, request and address',
  async (operationId) => {
    proves('audit.actions', 'audit.own')
    const { owner, read, readOwn } = await newAudit()
    const operation = ALL.find((one) => one.operationId === operationId)
    if (!operation) throw new Error(`no operation ${operationId}`)
    const { method, path, init } = requestTo(operation)
    const withMode = path.startsWith('/v1') || operation.tenant === 'mode'
    const answer = await owner.request(method, path, {
      body: 'body' in init ? init.body : undefined,
    })
    const isError = answer.status >= 400
    const created = isError ? null : (answer.body?.id ?? answer.body?.userId ?? null)
    const entries = OWN.includes(operationId) ? (await readOwn()).slice(0, 1) : await read(`?action=${operationId}`)
    if (OWN.includes(operationId)) expect(await read(`?action=${operationId}`)).toEqual([])
    expect(entries).toEqual([
      {
        id: expect.any(String),
        at: expect.any(String),
        actor: { kind: 'user', id: owner.userId, name: owner.email },
        action: operationId,
        target: operation.ids ? UNKNOWN_ID : created,
        targetName:
          operationId === 'createApiKey' || operationId === 'createPrintAccess'
            ? (answer.body.name ?? null)
            : operationId === 'createInvitation'
              ? answer.body.email
              : operationId === 'createWebhook'
                ? 'erp.example.com'
                : operationId === 'createDestination'
                  ? 'kitchen'
                  : null,
        mode: withMode ? 'live' : null,
        outcome: isError ? answer.body.error.code : 'ok',
        requestId: answer.headers.get('x-request-id'),
        ip: '127.0.0.1',
      },
    ])
  },
)

test('a key records what needs the scope `admin`, and nothing else', async () => {
  proves('audit.keys')
  const { api, testApi, read, addPrinter, world, id } = await newAudit()
  const printer = await addPrinter()
  const job = await api.createJob(printJob(printer.id))
  await api.post(`/v1/printjobs/${job.id}/cancel`, {})
  await api.request('PATCH', `/v1/printers/${printer.id}`, {
    body: JSON.stringify({ enabled: false }),
    headers: { 'content-type': 'application/json' },
  })
  await testApi.get('/v1/webhooks')
  const [key] = (await world.accounts.listApiKeys({ organizationId: id, mode: 'live' })).apiKeys
  const [first, ...others] = await read()
  expect(first).toMatchObject({
    actor: { kind: 'key', id: key?.id, name: 'live' },
    action: 'updatePrinter',
    target: printer.id,
    mode: 'live',
    outcome: 'ok',
  })
  expect(others.map(({ action }: { action: string }) => action)).toEqual(['finishSignIn', 'finishSignIn'])
})

test('sign-ins and wrong codes are in the log of the user, and a sign-in in that of an organization when the session is first used for it', async () => {
  proves('audit.sign-in')
  const { world, owner, read } = await newAudit()
  const second = await newAudit()
  await world.accounts.addMember({ organizationId: second.id, email: owner.email, role: 'member' })
  const browser = createBrowser(world.gatewayUrl)
  await browser.post('/account/sign-in', { email: owner.email })
  world.advance(1_000)
  const tried = await browser.post('/account/sign-in/code', { code: '00000000' })
  const { sessionId } = await addSession(browser, world, owner.email)
  expectError(tried, 401, 'sign_in_failed')
  const actor = { kind: 'user', id: owner.userId, name: owner.email }
  const own = (await browser.get('/account/session/audit')).body.data
  expect(own.slice(0, 2)).toMatchObject([
    { target: sessionId, outcome: 'ok', action: 'finishSignIn', actor },
    { target: null, outcome: 'sign_in_failed', requestId: tried.headers.get('x-request-id'), ip: '127.0.0.1', actor },
  ])
  const ofUser = `?actor=${owner.userId}&action=finishSignIn`
  const before = await read(ofUser)
  world.advance(1_000)
  const used = await browser.get('/v1/printers', { headers: { 'platen-organization': second.id } })
  await browser.get('/v1/computers', { headers: { 'platen-organization': second.id } })
  expect(await second.read(ofUser)).toMatchObject([
    {
      ...{ target: sessionId, outcome: 'ok', actor, ip: '127.0.0.1', requestId: used.headers.get('x-request-id') },
      at: world.clock.now().toISOString(),
    },
  ])
  expect(await read(ofUser)).toEqual(before)
})

test('names in the log are of targets of the organization, and of the time of the action', async () => {
  proves('audit.target-name')
  const { owner, read, id, world } = await newAudit()
  const other = await newAudit()
  const [foreignKey] = (await world.accounts.listApiKeys({ organizationId: other.id, mode: 'live' })).apiKeys
  const [ownKey] = (await world.accounts.listApiKeys({ organizationId: id, mode: 'live' })).apiKeys
  const member = await signInAs({ id, world }, 'member')
  for (const key of [foreignKey, ownKey]) await owner.delete(`/account/keys/${key?.id}`)
  for (const { userId } of [other.owner, member]) await owner.post(`/account/members/${userId}/remove`)
  expect(await read('?limit=4')).toMatchObject([
    { target: member.userId, targetName: member.email, outcome: 'ok' },
    { target: other.owner.userId, targetName: null, outcome: 'not_found' },
    { target: ownKey?.id, targetName: 'live', outcome: 'ok' },
    { target: foreignKey?.id, targetName: null, outcome: 'not_found' },
  ])
})

test('printers, computers and webhook endpoints have their names in the log also after their deletion, endpoints without what may be secret', async () => {
  const { owner, read, enroll, addPrinter, world } = await newAudit()
  world.addHost('hooks.example.com', ['93.184.216.34'], 9)
  const { computerId } = await enroll('live', 'Front desk')
  const printer = await addPrinter('live', { computerId, name: 'Laser' })
  const url = 'https://hooks.example.com/in?token=secret'
  const { id: endpoint } = (await owner.post('/v1/webhooks', { url, events: ['printjob.done'] })).body
  await owner.request('PATCH', `/v1/printers/${printer.id}`, { body: { displayName: 'Renamed' } })
  for (const path of [`webhooks/${endpoint}`, `computers/${computerId}`]) await owner.delete(`/v1/${path}`)
  const other = await newAudit()
  await other.owner.delete(`/v1/computers/${(await enroll()).computerId}`)
  expect(await read('?limit=4')).toMatchObject([
    { action: 'deleteComputer', target: computerId, targetName: 'Front desk' },
    { action: 'deleteWebhook', target: endpoint, targetName: 'hooks.example.com' },
    { action: 'updatePrinter', target: printer.id, targetName: 'Laser' },
    { action: 'createWebhook', target: endpoint, targetName: 'hooks.example.com' },
  ])
  expect((await other.read('?limit=1'))[0]).toMatchObject({
    action: 'deleteComputer',
    targetName: null,
    outcome: 'not_found',
  })
})

test('an action whose outcome cannot be recorded is answered as usual', async () => {
  const { owner, read, world, enroll } = await newAudit()
  const { computerId } = await enroll()
  world.intercept(AccountsService.method.endAction, () => Promise.reject(unavailable()))
  expect((await owner.delete(`/v1/computers/${computerId}`)).status).toBe(204)
  expect(await read('?action=deleteComputer')).toMatchObject([{ target: computerId, outcome: null }])
})

test('an action that cannot be recorded does not happen', async () => {
  proves('audit.required')
  const { owner, world, enroll } = await newAudit()
  const { computerId } = await enroll()
  world.intercept(AccountsService.method.beginAction, () => Promise.reject(unavailable()))
  expectError(await owner.delete(`/v1/computers/${computerId}`), 503, 'service_unavailable')
  expect((await owner.get(`/v1/computers/${computerId}`)).status).toBe(200)
})

test('the log is read in pages and by action and actor, and only of the own organization', async () => {
  proves('audit.list')
  const { owner, reader, read, world } = await newAudit()
  for (const name of ['a', 'b', 'c']) {
    world.advance(1_000)
    await owner.request('PATCH', '/account/organization', { body: { name } })
  }
  const first = (await reader.get('/account/audit?limit=3')).body
  expect([first.hasMore, first.data.length]).toEqual([true, 3])
  const next = (await reader.get(`/account/audit?limit=3&after=${first.nextCursor}`)).body
  expect(next.data.map(({ action }: { action: string }) => action)).toEqual(['finishSignIn', 'finishSignIn'])
  const { owner: other, read: readOther } = await newAudit()
  expect(await readOther()).toHaveLength(2)
  expect(await read(`?actor=${other.userId}`)).toEqual([])
  expectError(await reader.get('/account/audit?actor=me'), 400, 'invalid_request', /actor/)
})

test('the log is read by time, with pages, and a wrong time is refused by its name', async () => {
  proves('audit.list.time', 'audit.list.time.order')
  const { owner, reader, read, world } = await newAudit()
  const times: string[] = []
  for (const name of ['a', 'b', 'c']) {
    world.advance(1_000)
    times.push(world.clock.now().toISOString())
    await owner.request('PATCH', '/account/organization', { body: { name } })
  }
  const [a, , c] = times
  const range = `since=${a}&until=${c}`
  expect((await read(`?${range}`)).map(({ at }: { at: string }) => at)).toEqual(times.slice(0, 2).toReversed())
  const path = `/account/audit?limit=1&action=updateOrganization&actor=${owner.userId}&`
  const first = (await reader.get(path + range)).body
  const next = (await reader.get(`${path}${range}&after=${first.nextCursor}`)).body
  expect([first, next]).toMatchObject([
    { data: [{ at: times[1] }], hasMore: true },
    { data: [{ at: a }], hasMore: false },
  ])
  const refused = async (query: string, message: RegExp) =>
    expectError(await reader.get(path + query), 400, 'invalid_request', message)
  await refused(`since=${a}&until=${times[1]}&after=${first.nextCursor}`, /`after` must be the `nextCursor`/)
  await refused('since=yesterday', /`since`: must be an ISO 8601 time/)
  await refused(`until=${c?.slice(0, 10)}`, /`until`: must be an ISO 8601 time/)
  await refused(`since=${c}&until=${a}`, /`until`: must not be before `since`/)
  expect(await read(`?since=${a}&until=${a}`)).toEqual([])
})

test('entries are deleted after 400 days, and keys 400 days after their revocation', async () => {
  proves('audit.retention')
  const { read, world, id, addKey } = await newAudit()
  await addKey('live', ['read'])
  const days = (n: number) => new Date(world.clock.now().getTime() - n * 24 * 60 * 60_000)
  const entries = await read()
  const age = async (at: Date) => {
    await world.query(
      `INSERT INTO accounts.audit (log_id, id, at, actor_kind, actor_name, action, request_id, ip)
       VALUES ($1, uuidv7(), $2, 'operator', 'operator', 'setPlan', '', '')`,
      [id, at],
    )
    await world.query('UPDATE accounts.api_key SET revoked_at = $2 WHERE organization_id = $1', [id, at])
  }
  const countKeys = async () => (await world.accounts.listApiKeys({ organizationId: id })).apiKeys.length
  const keys = await countKeys()
  await age(new Date(days(400).getTime() + 1))
  await world.sweep('accounts', 'old rows')
  expect([(await read()).length, await countKeys()]).toEqual([entries.length + 1, keys])
  await age(days(400))
  await world.sweep('accounts', 'old rows')
  expect([(await read()).length, await countKeys()]).toEqual([entries.length + 1, 0])
})

test('entries can be neither changed nor deleted in the database before their time, and an outcome is added once', async () => {
  proves('audit.guarded')
  const { owner, read, world, id } = await newAudit()
  await owner.post('/account/keys', { name: 'Till', scopes: ['read'] })
  const entries = await read()
  for (const change of [
    `UPDATE accounts.audit SET outcome = 'forbidden' WHERE log_id = $1`,
    `UPDATE accounts.audit SET outcome = 'ok', actor_name = 'other' WHERE log_id = $1`,
    'DELETE FROM accounts.audit WHERE log_id = $1',
  ])
    await expect(world.query(change, [id])).rejects.toThrow('entries of the audit log cannot be changed')
  await expect(world.query('TRUNCATE accounts.audit')).rejects.toThrow('entries of the audit log cannot be changed')
  expect(await read()).toEqual(entries)
})

test('the enrolment of a computer is recorded with its token and the computer', async () => {
  proves('audit.enrollment')
  const { owner, read, world } = await newAudit()
  const created = await owner.post('/v1/enrollments', {})
  const { token, id } = created.body
  const enrolled = await createApi(world.gatewayUrl, token).post('/v1/agents/enroll', {
    ...{ hostname: 'till-1', os: 'linux', osVersion: '13', arch: 'x64', agentVersion: '0.2.0' },
  })
  expect(enrolled.status).toBe(201)
  const [entry] = await read('?action=enrollAgent')
  expect(entry).toMatchObject({
    actor: { kind: 'token', id, name: 'enrolment token' },
    ...{ target: enrolled.body.computerId, targetName: 'till-1', mode: 'live', outcome: 'ok' },
  })
})
