/** Print jobs: creation, documents, states, lists and cancellation. */
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Api, errorOf } from '../harness/api.ts'
import { connectLightAgent } from '../harness/light-agent.ts'
import { makePdf } from '../harness/pdf.ts'
import { waitFor } from '../harness/wait-for.ts'
import { HOOK_HOST } from './hooks.ts'
import {
  agentAddress,
  CONTENT_CANARY,
  FETCH_CANARY,
  newJob,
  newOrganization,
  type Organization,
  PDF,
} from './installation.ts'
import { ISO_TIME, UUID_V7 } from './patterns.ts'

const MB = 1024 * 1024
const UNKNOWN_ID = '01890a5d-ac96-774b-bcce-b302099a8057'
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64')
const idsOf = ({ body }: Answer): string[] => body.data.map(({ id }: { id: string }) => id)

/** Shared by tests that leave no job behind. */
let shop: Organization
let laser: { id: string; computerId: string }

beforeAll(async () => {
  shop = await newOrganization()
  laser = await shop.testApi.printer('Test A4 Laser')
})

describe.concurrent('a new job', () => {
  // biome-ignore lint/suspicious/noExplicitAny: the answer as it came
  let job: any
  let printer: { id: string; computerId: string }
  const options = { duplex: 'long-edge' }
  const sent = newJob('', { options, qty: 2 })

  beforeAll(async () => {
    const { testApi } = await newOrganization()
    printer = await testApi.printer('Test A4 Laser')
    job = await testApi.createJob({ ...sent, printerId: printer.id })
  })

  const FIELDS: [field: string, value: () => unknown, ids?: string][] = [
    ['id', () => UUID_V7, 'convention.uuidv7'],
    ['printerId', () => printer.id, 'create.printerId'],
    ['computerId', () => printer.computerId],
    ['title', () => sent.title, 'create.title'],
    ['contentType', () => 'pdf_base64', 'create.contentType create.content content.pdf_base64'],
    ['source', () => 'api', 'create.source.default'],
    ['qty', () => 2, 'create.qty'],
    ['options', () => options, 'create.options options.shown option.duplex option.duplex.long-edge'],
    ['expireAfter', () => 86_400, 'create.expireAfter.default'],
    ['expiresAt', () => new Date(Date.parse(job.createdAt) + 86_400_000).toISOString()],
    ['fileSize', () => PDF.length],
    ['fileSha256', () => sha256(PDF)],
    ['mode', () => 'test'],
    ['state', () => 'queued', 'endpoint.POST.printjobs edge.none.create.queued'],
    ['stateMessage', () => null, 'convention.absent-is-null'],
    ['stateReasons', () => []],
    ['createdAt', () => ISO_TIME, 'convention.timestamps'],
    ['sentAt', () => null],
    ['receivedAt', () => null],
    ['printingAt', () => null],
    ['finishedAt', () => null],
  ]
  for (const [field, value, ids = ''] of FIELDS)
    test(`has \`${field}\` [${`print-job.${field} ${ids}`.trim()}]`, () => expect(job[field]).toEqual(value()))

  test('has no other fields, so neither content nor URL [print-job.no-content convention.camel-case]', () => {
    expect(Object.keys(job)).toEqual(FIELDS.map(([field]) => field))
  })
})

describe.concurrent('on its way', () => {
  test('a job walks through all states to done, each with its time and its event [state.event edge.queued.push.sent edge.sent.acknowledge.received edge.received.print.printing edge.printing.complete.done endpoint.GET.printjobs.id actor.api actor.system.sent actor.agent]', async () => {
    const { testApi } = await newOrganization()
    const { id } = await testApi.createJob(newJob((await testApi.printer('Test A4 Laser')).id))
    const job = await testApi.waitUntilFinal(id)
    expect(job).toMatchObject({ state: 'done', stateMessage: null })
    const times = [job.createdAt, job.sentAt, job.receivedAt, job.printingAt, job.finishedAt]
    expect(times).toEqual(times.map(() => ISO_TIME))
    expect(times).toEqual(times.toSorted())
    const { body } = await testApi.get(`/v1/printjobs/${id}/events`)
    expect(body.data.map(({ state, actor }: { state: string; actor: string }) => [state, actor])).toEqual([
      ['queued', 'api'],
      ['sent', 'system'],
      ['received', 'agent'],
      ['printing', 'agent'],
      ['done', 'agent'],
    ])
  })

  test('the events of a job are listed, oldest first, in `data` alone [endpoint.GET.printjobs.id.events print-job.events.order convention.list.job-events print-job-event.id print-job-event.state print-job-event.message print-job-event.actor print-job-event.createdAt]', async () => {
    const { api, connectAgent } = await newOrganization()
    const { id } = await api.createJob(newJob((await connectAgent()).printerId))
    await api.waitUntilFinal(id)
    const { body } = await api.get(`/v1/printjobs/${id}/events`)
    expect(Object.keys(body)).toEqual(['data'])
    const fields = { id: UUID_V7, state: expect.any(String), message: null, actor: expect.any(String) }
    expect(body.data).toEqual(Array(5).fill({ ...fields, createdAt: ISO_TIME }))
    const times = body.data.map(({ createdAt }: { createdAt: string }) => createdAt)
    expect(times).toEqual(times.toSorted())
  })

  test('a job with [fail] in its title ends in error, with the reason, and is not retried [test-mode.fail print-job.stateMessage.reason state-reason.job-aborted-by-system error.no-retry edge.printing.fail.error]', async () => {
    const { testApi } = await newOrganization()
    const { id } = await testApi.createJob(
      newJob((await testApi.printer('Test A4 Laser')).id, { title: 'Invoice [fail]' }),
    )
    const job = await testApi.waitUntilFinal(id)
    const reason = { stateMessage: expect.any(String), stateReasons: ['job-aborted-by-system'] }
    expect(job).toMatchObject({ state: 'error', ...reason })
    const before = ['queued', 'sent', 'received']
    // A busy agent may not have seen it print.
    expect(await testApi.eventStates(id)).toBeOneOf([
      [...before, 'printing', 'error'],
      [...before, 'error'],
    ])
  })

  test.each([
    ['Test Receipt 80mm', '\x1b@Thank you\n\x1dV\x00', 'test-mode.receipt.raw content.raw_base64'],
    ['Test Label 4x6', '^XA^FO50,50^ADN,36,20^FDPlaten^FS^XZ', 'test-mode.label.raw'],
  ])('raw data for %s are printed as they are: %j [%s]', async (name, text) => {
    const { testApi } = await newOrganization()
    const raw = { contentType: 'raw_base64', content: base64(text) }
    const job = await testApi.createJob(newJob((await testApi.printer(name)).id, raw))
    expect(job).toMatchObject({ fileSize: text.length, fileSha256: sha256(Buffer.from(text, 'latin1')) })
    expect(await testApi.waitUntilFinal(job.id)).toMatchObject({ state: 'done' })
  })

  test('a reprint prints the stored document of its original [reprint.allowed]', async () => {
    const { api, connectAgent } = await newOrganization()
    const { printerId } = await connectAgent()
    const { id, fileSize, fileSha256, contentType } = await api.createJob(newJob(printerId))
    const wanted = newJob(printerId, { contentType: undefined, content: undefined, reprintOf: id })
    const reprint = await api.createJob(wanted)
    expect(reprint).toMatchObject({ title: wanted.title, contentType, fileSize, fileSha256 })
    expect(await api.waitUntilFinal(reprint.id)).toMatchObject({ state: 'done' })
  })

  test('a job whose document cannot be fetched ends in error, without its URL and credentials [edge.queued.fetch-failure.error actor.system.fetch fetch.credentials.stored fetch.credentials.logged]', async () => {
    const { api, connectAgent } = await newOrganization()
    // Nothing listens there; that neither logs nor spans show them is a test of the history.
    const content = `http://${HOOK_HOST}/${FETCH_CANARY}?token=${FETCH_CANARY}`
    const authentication = { type: 'BasicAuth', credentials: { user: FETCH_CANARY, pass: FETCH_CANARY } }
    const uri = { contentType: 'pdf_uri', content, authentication }
    const { id } = await api.createJob(newJob((await connectAgent()).printerId, uri))
    const job = await api.waitUntilFinal(id)
    const reason = { stateMessage: 'The file could not be fetched.', stateReasons: ['fetch-failed'] }
    expect(job).toMatchObject({ state: 'error', ...reason })
    const { body } = await api.get(`/v1/printjobs/${id}/events`)
    expect(body.data.at(-1)).toMatchObject({ state: 'error', actor: 'system' })
    expect(JSON.stringify([job, body])).not.toContain(FETCH_CANARY)
  })
})

describe.concurrent('a creation is refused, and nothing is stored:', () => {
  const REFUSED: [
    what: string,
    ids: string,
    request: Record<string, unknown> | string,
    status: number,
    code: string,
  ][] = [
    ['the JSON is cut off', 'error.400.bad-json', '{"printerId": "', 400, 'invalid_request'],
    ['the body is no object', 'error.400.no-object', '[1, 2]', 400, 'invalid_request'],
    ['the body is empty', 'request-id.error', '', 400, 'invalid_request'],
    [
      'no printerId',
      'error.400.invalid_request create.printerId.missing',
      { printerId: undefined },
      400,
      'invalid_request',
    ],
    ['a printerId that is no UUID', 'convention.body-id.malformed', { printerId: 'laser' }, 400, 'invalid_request'],
    ['a title that is a number', 'create.title.type', { title: 7 }, 400, 'invalid_request'],
    ['an empty title', 'create.title.0', { title: '' }, 400, 'invalid_request'],
    ['a title of 256 characters', 'create.title.256', { title: 'x'.repeat(256) }, 400, 'invalid_request'],
    ['a title with NUL', 'convention.text.nul', { title: 'a\0b' }, 400, 'invalid_request'],
    ['qty 0', 'create.qty.0', { qty: 0 }, 400, 'invalid_request'],
    ['qty 101', 'create.qty.101', { qty: 101 }, 400, 'invalid_request'],
    ['a qty that is a text', 'create.qty.type', { qty: '1' }, 400, 'invalid_request'],
    ['a qty that is a fraction', 'create.qty.type', { qty: 1.5 }, 400, 'invalid_request'],
    ['expireAfter 59', 'create.expireAfter.59', { expireAfter: 59 }, 400, 'invalid_request'],
    ['expireAfter 604801', 'create.expireAfter.604801', { expireAfter: 604_801 }, 400, 'invalid_request'],
    ['an unknown contentType', 'create.contentType.unknown', { contentType: 'docx' }, 400, 'invalid_request'],
    ['no content', 'create.content.missing', { content: undefined }, 400, 'invalid_request'],
    ['a content that is a number', 'create.content.type', { content: 7 }, 400, 'invalid_request'],
    ['an unknown field', 'convention.unknown-field', { colour: true }, 400, 'invalid_request'],
    ['an unknown option', 'options.unknown', { options: { stapled: true } }, 400, 'invalid_request'],
    ['a malformed option', 'option.rotate.45', { options: { rotate: 45 } }, 400, 'invalid_request'],
    ['a character outside base64', 'content.base64.alphabet', { content: 'JVBE*i0x' }, 422, 'invalid_content'],
    ['white space in base64', 'content.base64.white-space', { content: 'JVBE\ni0x' }, 422, 'invalid_content'],
    ['URL-safe base64', 'content.base64.url-safe', { content: 'JVBERi3_-w==' }, 422, 'invalid_content'],
    ['base64 that is cut off', 'content.base64.padding', { content: 'JVBERi0xL' }, 422, 'invalid_content'],
    [
      'a document that is no PDF',
      'content.marker error.422.invalid_content',
      { content: base64('<html>') },
      422,
      'invalid_content',
    ],
    ['an unknown printer', 'create.printerId.unknown', { printerId: UNKNOWN_ID }, 404, 'not_found'],
  ]
  test.each(REFUSED)('%s [%s]', async (_, _ids, request, status, code) => {
    const body = typeof request === 'string' ? request : newJob(laser.id, request)
    await expectRefusal(await shop.testApi.post('/v1/printjobs', body), status, code)
  })

  const ERROR_FIELDS = 'envelope.code envelope.message envelope.request_id envelope.nothing-else'
  async function expectRefusal(answer: Answer, status: number, code: string) {
    expect(answer.status).toBe(status)
    const request_id = answer.headers.get('x-request-id')
    expect(answer.body).toEqual({ error: { code, message: expect.stringMatching(/\w/), request_id } })
    expect(request_id).toMatch(/./)
    expect((await shop.testApi.get('/v1/printjobs')).body.data).toEqual([])
  }

  test(`an error answer has a code, a message and the request id [${ERROR_FIELDS}]`, async () => {
    await expectRefusal(await shop.testApi.post('/v1/printjobs', {}), 400, 'invalid_request')
  })

  test("a printer of the organization's other mode [error.422.mode_mismatch create.mode-mismatch]", async () => {
    await expectRefusal(await shop.api.post('/v1/printjobs', newJob(laser.id)), 422, 'mode_mismatch')
  })

  test('a body that is no JSON [convention.wrong-content-type error.415.unsupported_media_type]', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    await expectRefusal(await shop.testApi.post('/v1/printjobs', 'a=1', headers), 415, 'unsupported_media_type')
  })

  test('a document of 25 MB + 1 byte [error.413.content_too_large content.pdf_base64.25MB-plus-1]', async () => {
    const content = makePdf(CONTENT_CANARY, 25 * MB + 1).toString('base64')
    await expectRefusal(
      await shop.testApi.post('/v1/printjobs', newJob(laser.id, { content })),
      413,
      'content_too_large',
    )
  })

  test.each(['127.0.0.2', '10.0.0.1', '169.254.169.254', '[::1]'])(
    'a URL at %s, outside of the networks that the operator allows [url.private allowed.cidr]',
    async (host) => {
      const uri = { contentType: 'pdf_uri', content: `http://${host}/${FETCH_CANARY}` }
      await expectRefusal(await shop.testApi.post('/v1/printjobs', newJob(laser.id, uri)), 422, 'invalid_content_url')
    },
  )

  test.each<[string, string, () => string]>([
    ['no key', 'auth.missing', () => ''],
    ['an unknown key', 'auth.invalid', () => `Bearer platen_test_${'0'.repeat(49)}`],
    ['a key with one wrong character', 'auth.invalid', () => `Bearer ${shop.testApi.key.slice(0, -1)}~`],
    ['another scheme', 'auth.other-scheme', () => `Token ${shop.testApi.key}`],
    ['Basic with a password', 'auth.basic.password', () => `Basic ${btoa(`${shop.testApi.key}:secret`)}`],
  ])('%s, as any other request [%s error.401.unauthorized]', async (_, _ids, authorization) => {
    const headers = { authorization: authorization() }
    for (const path of ['/v1/whoami', '/v1/nowhere'])
      await expectRefusal(await shop.testApi.get(path, headers), 401, 'unauthorized')
    await expectRefusal(await shop.testApi.post('/v1/printjobs', newJob(laser.id), headers), 401, 'unauthorized')
  })
})

describe.concurrent('limits', () => {
  test('a document of exactly 25 MB is printed [content.pdf_base64.25MB]', async () => {
    const { testApi } = await newOrganization()
    const pdf = makePdf(CONTENT_CANARY, 25 * MB)
    const { id } = await testApi.printer('Test A4 Laser')
    const job = await testApi.createJob(newJob(id, { content: pdf.toString('base64') }))
    expect(job).toMatchObject({ fileSize: 26_214_400, fileSha256: sha256(pdf) })
    expect(await testApi.waitUntilFinal(job.id)).toMatchObject({ state: 'done' })
  })

  test.each([{ length: 1 }, { length: 255 }])(
    'a title of $length code points is accepted [create.title.$length convention.text.code-points]',
    async ({ length }) => {
      const { testApi } = await newOrganization()
      await testApi.createJob(newJob((await testApi.printer('Test A4 Laser')).id, { title: '🖨'.repeat(length) }))
    },
  )
})

describe.concurrent('what does not exist is a 404:', () => {
  test.each([
    [`/v1/printjobs/${UNKNOWN_ID}`, 'print-job.get.404'],
    [`/v1/printjobs/${UNKNOWN_ID}/events`, 'print-job.events.404'],
    [`/v1/printers/${UNKNOWN_ID}`, 'printer.get.404 error.404.not_found'],
    [`/v1/computers/${UNKNOWN_ID}`, 'computer.get.404'],
    ['/v1/printjobs/not-a-uuid', 'convention.path-id.not-uuid'],
    ['/v1/nowhere', 'convention.unknown-path'],
    ['/nowhere', 'convention.unknown-path'],
  ])('%s [%s]', async (path) => expect(errorOf(await shop.testApi.get(path))).toEqual([404, 'not_found']))

  test('the cancellation of an unknown job [print-job.cancel.404]', async () => {
    const answer = await shop.testApi.request('POST', `/v1/printjobs/${UNKNOWN_ID}/cancel`)
    expect(errorOf(answer)).toEqual([404, 'not_found'])
  })
})

test('a wrong method is a 405 that lists the allowed ones [error.405.method_not_allowed]', async () => {
  const answer = await shop.testApi.delete('/v1/printjobs')
  expect(errorOf(answer)).toEqual([405, 'method_not_allowed'])
  expect(answer.headers.get('allow')).toContain('POST')
})

describe.concurrent('a list is a 400', () => {
  test.each([
    ['printers?limit=0', 'page.limit.0'],
    ['printers?limit=101', 'page.limit.101'],
    ['printers?limit=x', 'page.limit.type'],
    ['printers?dir=up', 'page.dir.unknown'],
    ['printers?after=nonsense', 'convention.cursor.malformed'],
    ['printers?colour=red', 'convention.unknown-parameter'],
    ['printjobs?colour=red', 'convention.unknown-parameter'],
    ['printjobs?state=finished', 'print-jobs.filter.state.unknown'],
    ['printjobs?printerId=laser', 'print-jobs.filter.printerId'],
    ['printjobs?computerId=7', 'print-jobs.filter.computerId'],
    ['printjobs?source=', 'print-jobs.filter.source'],
    ['printjobs?createdAfter=yesterday', 'print-jobs.filter.createdAfter'],
    ['printjobs?createdBefore=2026-01-02', 'print-jobs.filter.createdBefore'],
  ])('with %s, and names the parameter [%s]', async (path) => {
    const answer = await shop.testApi.get(`/v1/${path}`)
    expect(errorOf(answer)).toEqual([400, 'invalid_request'])
    expect(answer.body.error.message).toContain(/\?(\w+)=/.exec(path)?.[1])
  })
})

describe.concurrent('the list of jobs', () => {
  test('is newest first, in pages of 25, with the jobs as they are read one by one [endpoint.GET.printjobs print-jobs.paged page.limit.default]', async () => {
    const { api, connectAgent } = await newOrganization()
    const { printerId } = await connectAgent()
    const created: string[] = []
    for (let n = 0; n < 26; n++) created.push((await api.createJob(newJob(printerId))).id)
    const page = await api.get('/v1/printjobs')
    expect(idsOf(page)).toEqual(created.slice(1).toReversed())
    expect(page.body).toMatchObject({ hasMore: true })
    const last = await api.get(`/v1/printjobs?after=${page.body.nextCursor}`)
    expect([idsOf(last), last.body.hasMore]).toEqual([created.slice(0, 1), false])
    const [oldest = ''] = created
    await api.waitUntilFinal(oldest)
    // In this direction a list ends before what is younger than the oldest open transaction.
    await waitFor(async () => {
      const { body } = await api.get('/v1/printjobs?dir=asc&limit=1')
      expect(body.data).toEqual([await api.getJob(oldest)])
    })
  })

  test('of a printer is newest first and paged [endpoint.GET.printers.id.printjobs printer.printjobs.paged printer.printjobs.order]', async () => {
    const { api, connectAgent } = await newOrganization()
    const { printerId } = await connectAgent()
    const created: string[] = []
    for (let n = 0; n < 3; n++) created.push((await api.createJob(newJob(printerId))).id)
    const path = `/v1/printers/${printerId}/printjobs?limit=2`
    const page = await api.get(path)
    const next = await api.get(`${path}&after=${page.body.nextCursor}`)
    expect([page.body.hasMore, next.body.hasMore]).toEqual([true, false])
    expect([...idsOf(page), ...idsOf(next)]).toEqual(created.toReversed())
  })

  test('is filtered by printer, computer, source, state and time, alone and together [create.source print-jobs.filter.printerId print-jobs.filter.computerId print-jobs.filter.source print-jobs.filter.state print-jobs.filter.state.repeated print-jobs.filter.createdAfter print-jobs.filter.createdBefore print-jobs.filter.combined]', async () => {
    const { api, connectAgent } = await newOrganization()
    const { printerId, computerId } = await connectAgent()
    const { createdAt: before } = await api.createJob(newJob(printerId, { source: 'ERP' }))
    const { id, createdAt } = await waitFor(async () => {
      const created = await api.createJob(newJob(printerId, { source: 'ERP' }))
      expect(created.createdAt > before).toBe(true)
      return created
    })
    await api.waitUntilFinal(id)
    const finds = async (query: string) => idsOf(await api.get(`/v1/printjobs?limit=100&${query}`)).includes(id)
    for (const query of [
      `printerId=${printerId}`,
      `computerId=${computerId}`,
      'source=ERP',
      'state=done',
      'state=error&state=done',
      `createdAfter=${createdAt}`,
      `createdAfter=${before}&createdBefore=2090-01-01T00:00:00Z&state=done&printerId=${printerId}`,
    ])
      expect([query, await finds(query)]).toEqual([query, true])
    for (const query of [
      `printerId=${UNKNOWN_ID}`,
      `computerId=${UNKNOWN_ID}`,
      'source=erp',
      'state=error',
      'state=queued&state=sent',
      `createdBefore=${createdAt}`,
      `state=done&printerId=${UNKNOWN_ID}`,
    ])
      expect([query, await finds(query)]).toEqual([query, false])
  })

  test('shows a poller each job once, as does the feed, while 16 clients create with repeated keys [convention.cursor.polling feed.commit-order]', async () => {
    const { api, connectAgent } = await newOrganization()
    const { printerId, agent } = await connectAgent()
    agent.close()
    const creating = Promise.all(Array.from({ length: 16 }, (_, n) => createEach(api, printerId, `client ${n}`, 4)))
    const idOf = ({ id, data }: { id: string; data?: { id: string } }) => data?.id ?? id
    const [listed, told] = await Promise.all([
      follow(api, '/v1/printjobs?dir=asc&limit=5', idOf, creating),
      follow(api, '/v1/events?dir=asc&wait=1&type=printjob.queued&limit=7', idOf, creating),
    ])
    const created = (await creating).flat().toSorted()
    expect(new Set(created).size).toBe(64)
    expect(listed.toSorted()).toEqual(created)
    // A job that was sent to an agent that is gone is queued once more.
    expect([...new Set(told)].toSorted()).toEqual(created)
  })
})

/** Sends each creation twice at once, with one key. @returns the ids of the jobs. */
async function createEach(api: Api, printerId: string, client: string, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const send = () => api.post('/v1/printjobs', job, { 'idempotency-key': `${client} ${n}` })
    const job = newJob(printerId)
    const answers = await Promise.all([send(), send()])
    const accepted = answers.filter(({ status }) => status === 201)
    for (const answer of answers) if (answer.status !== 201) expect(errorOf(answer)[1]).toBe('idempotency_in_progress')
    expect(new Set(accepted.map(({ body }) => body.id)).size).toBe(1)
    ids.push(accepted[0]?.body.id)
  }
  return ids
}

const FOLLOW_LIMIT_MS = 20_000

/** Reads on from the last cursor until everything was seen that is being created. */
async function follow<Item>(api: Api, path: string, idOf: (item: Item) => string, creating: Promise<string[][]>) {
  let created: string[] | undefined
  void creating.then((ids) => {
    created = ids.flat()
  })
  const seen: string[] = []
  let after = ''
  const deadline = performance.now() + FOLLOW_LIMIT_MS
  while (performance.now() < deadline && !created?.every((id) => seen.includes(id))) {
    const { body } = await api.get(`${path}${after}`)
    seen.push(...body.data.map(idOf))
    if (body.nextCursor) after = `&after=${body.nextCursor}`
  }
  return seen
}

test('a job that no agent has received is cancelled, and then not printed; a final job is not cancellable [endpoint.POST.printjobs.id.cancel print-job.cancel.200 edge.queued.cancel.cancelled print-job.cancel.cancelled print-job.cancel.done error.409.not_cancellable]', async () => {
  const { api, connectAgent } = await newOrganization()
  const { agent, printerId, credential } = await connectAgent()
  agent.close()
  const cancel = (id: string) => api.request('POST', `/v1/printjobs/${id}/cancel`)
  const { id } = await api.createJob(newJob(printerId))
  const { status, body } = await cancel(id)
  expect([status, body]).toEqual([200, await api.getJob(id)])
  expect(body).toMatchObject({ id, state: 'cancelled', finishedAt: ISO_TIME, stateMessage: null })
  const { body: events } = await api.get(`/v1/printjobs/${id}/events`)
  expect(events.data.at(-1)).toMatchObject({ state: 'cancelled', actor: 'api', message: null })
  const again = await cancel(id)
  expect(errorOf(again)).toEqual([409, 'not_cancellable'])
  expect(again.body.error.message).toContain('`cancelled`')

  const printed: string[] = []
  await connectLightAgent(agentAddress, credential, { onPrint: (jobId) => void printed.push(jobId) })
  const next = await api.createJob(newJob(printerId))
  expect(await api.waitUntilFinal(next.id)).toMatchObject({ state: 'done' })
  expect(printed).toEqual([next.id])
  const late = await cancel(next.id)
  expect(errorOf(late)).toEqual([409, 'not_cancellable'])
  expect(late.body.error.message).toContain('`done`')
})
