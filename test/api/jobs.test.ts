/** Print jobs: creation, documents, states, lists and cancellation. */
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Api, readError } from '../harness/api.ts'
import { connectLightAgent } from '../harness/light-agent.ts'
import { makePdf } from '../harness/pdf.ts'
import { proves } from '../harness/rules.ts'
import { waitFor } from '../harness/wait-for.ts'
import { HOOK_HOST } from './hooks.ts'
import {
  agentAddress,
  CONTENT_CANARY,
  FETCH_CANARY,
  ISO_TIME,
  newJob,
  newOrganization,
  type Organization,
  PDF,
  UUID_V7,
} from './installation.ts'

const MB = 1024 * 1024
const UNKNOWN_ID = '01890a5d-ac96-774b-bcce-b302099a8057'
const BY_PRIVATE_URL = { contentType: 'pdf_uri', content: `http://127.0.0.2/${FETCH_CANARY}` }
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64')
const getIds = ({ body }: Answer): string[] => body.data.map(({ id }: { id: string }) => id)

/** Shared by tests that leave no job behind. */
let shop: Organization
let laser: { id: string; computerId: string }

beforeAll(async () => {
  shop = await newOrganization()
  laser = await shop.testApi.printer('Test A4 Laser')
})

/** The fields of a new job, with the further rules that each of them proves. */
const NEW_JOB: Record<string, string[]> = {
  id: ['convention.uuidv7'],
  number: [],
  printerId: ['create.printerId'],
  computerId: [],
  destinationId: [],
  title: ['create.title'],
  contentType: ['create.contentType', 'create.content', 'content.pdf_base64'],
  source: ['create.source.default'],
  reportedUser: [],
  qty: ['create.qty'],
  options: ['create.options', 'options.shown', 'option.duplex', 'option.duplex.long-edge'],
  metadata: [],
  batchId: [],
  reprintOf: [],
  retain: ['create.retain.default'],
  expireAfter: ['create.expireAfter.default'],
  expiresAt: [],
  notBefore: [],
  fileSize: [],
  fileSha256: [],
  mode: [],
  state: ['endpoint.POST.printjobs', 'edge.none.create.queued'],
  stateMessage: ['convention.absent-is-null'],
  stateReasons: [],
  confirmedBy: [],
  createdAt: ['convention.timestamps'],
  sentAt: [],
  receivedAt: [],
  printingAt: [],
  finishedAt: [],
}

test('a new job has these fields and no others, so neither content nor URL', async () => {
  proves('print-job.no-content', 'convention.camel-case', ...Object.values(NEW_JOB).flat())
  proves(...Object.keys(NEW_JOB).map((field) => `print-job.${field}`))
  const { testApi } = await newOrganization()
  const { id: printerId, computerId } = await testApi.printer('Test A4 Laser')
  const { content: _, ...sent } = newJob(printerId, { options: { duplex: 'long-edge' }, qty: 2 })
  const job = await testApi.createJob({ ...sent, content: PDF.toString('base64') })
  const notYet = { sentAt: null, receivedAt: null, printingAt: null, finishedAt: null }
  const expiresAt = new Date(Date.parse(job.createdAt) + 86_400_000).toISOString()
  const document = { fileSize: PDF.length, fileSha256: sha256(PDF) }
  const state = { state: 'queued', stateMessage: null, stateReasons: [], confirmedBy: null }
  const defaults = {
    id: UUID_V7,
    number: 1,
    destinationId: null,
    source: 'api',
    reportedUser: null,
    metadata: {},
    batchId: null,
    reprintOf: null,
    retain: true,
    notBefore: null,
    expireAfter: 86_400,
    mode: 'test',
    createdAt: ISO_TIME,
  }
  expect(job).toEqual({ ...sent, computerId, ...defaults, expiresAt, ...document, ...state, ...notYet })
  expect(Object.keys(job)).toEqual(Object.keys(NEW_JOB))
})

/** The only event of this type shows the job as it is. */
async function expectEvent(api: Api, type: string, job: object): Promise<void> {
  await waitFor(async () => {
    const { body } = await api.get(`/v1/events?type=${type}`)
    expect(body.data).toMatchObject([{ type, data: job }])
  })
}

describe.concurrent('on its way', () => {
  test('a job walks through all states to done, each with its time and its event', async () => {
    proves(
      'state.event',
      'edge.queued.push.sent',
      'edge.sent.acknowledge.received',
      'edge.received.print.printing',
      'edge.printing.complete.done',
      'actor.api',
      'actor.system.sent',
      'actor.agent',
      'endpoint.GET.printjobs.id.events',
      'print-job.events.order',
      'convention.list.job-events',
      'print-job-event.id',
      'print-job-event.state',
      'print-job-event.message',
      'print-job-event.actor',
      'print-job-event.createdAt',
    )
    const { testApi } = await newOrganization()
    const { id } = await testApi.createJob(newJob((await testApi.printer('Test A4 Laser')).id))
    const job = await testApi.waitUntilFinal(id)
    expect(job).toMatchObject({ state: 'done', stateMessage: null })
    const times = [job.createdAt, job.sentAt, job.receivedAt, job.printingAt, job.finishedAt]
    expect(times).toEqual(times.map(() => ISO_TIME))
    expect(times).toEqual(times.toSorted())
    const { body } = await testApi.get(`/v1/printjobs/${id}/events`)
    const event = (state: string, actor: string) => ({ id: UUID_V7, state, actor, message: null, createdAt: ISO_TIME })
    const walk = [
      ['queued', 'api'],
      ['sent', 'system'],
      ['received', 'agent'],
      ['printing', 'agent'],
      ['done', 'agent'],
    ]
    expect(body).toEqual({ data: walk.map(([state = '', actor = '']) => event(state, actor)) })
    const eventTimes = body.data.map(({ createdAt }: { createdAt: string }) => createdAt)
    expect(eventTimes).toEqual(eventTimes.toSorted())
  })

  test('a job with [fail] in its title ends in error, with the reason, and is not retried', async () => {
    proves(
      'test-mode.fail',
      'print-job.stateMessage.reason',
      'state-reason.job-aborted-by-system',
      'error.no-retry',
      'edge.printing.fail.error',
    )
    const { testApi } = await newOrganization()
    const { id } = await testApi.createJob(
      newJob((await testApi.printer('Test A4 Laser')).id, { title: 'Invoice [fail]' }),
    )
    const job = await testApi.waitUntilFinal(id)
    const reason = { stateMessage: expect.any(String), stateReasons: ['job-aborted-by-system'] }
    expect(job).toMatchObject({ state: 'error', ...reason })
    const before = ['queued', 'sent', 'received']
    // A busy agent may miss the state printing.
    expect(await testApi.eventStates(id)).toBeOneOf([
      [...before, 'printing', 'error'],
      [...before, 'error'],
    ])
  })

  test.each([
    ['Test Receipt 80mm', '\x1b@Thank you\n\x1dV\x00', 'test-mode.receipt.raw', 'content.raw_base64'],
    ['Test Label 4x6', '^XA^FO50,50^ADN,36,20^FDPlaten^FS^XZ', 'test-mode.label.raw'],
  ])('raw data for %s are printed as they are: %j', async (name, text, ...ids) => {
    proves(...ids)
    const { testApi } = await newOrganization()
    const raw = { contentType: 'raw_base64', content: base64(text) }
    const job = await testApi.createJob(newJob((await testApi.printer(name)).id, raw))
    expect(job).toMatchObject({ fileSize: text.length, fileSha256: sha256(Buffer.from(text, 'latin1')) })
    expect(await testApi.waitUntilFinal(job.id)).toMatchObject({ state: 'done' })
  })

  test.each([
    ['Test A4 Laser', '^XA^FDPlaten^FS^XZ', 'ZPL'],
    ['Test Label 4x6', '\x1b@Thank you\n', 'ESC/POS'],
  ])('raw data that %s does not print are an error: %j', async (name, text, language) => {
    proves('test-mode.raw.language')
    const { testApi } = await newOrganization()
    const raw = { contentType: 'raw_base64', content: base64(text) }
    const { id } = await testApi.createJob(newJob((await testApi.printer(name)).id, raw))
    expect(await testApi.waitUntilFinal(id)).toMatchObject({
      state: 'error',
      stateReasons: ['document-format-not-supported'],
      stateMessage: expect.stringContaining(`the raw data is ${language}.`),
    })
  })

  test('a reprint prints the stored document of its original', async () => {
    proves('reprint.allowed')
    const { api, connectAgent } = await newOrganization()
    const { printerId } = await connectAgent()
    const { id, fileSize, fileSha256, contentType } = await api.createJob(newJob(printerId))
    const wanted = newJob(printerId, { contentType: undefined, content: undefined, reprintOf: id })
    const reprint = await api.createJob(wanted)
    expect(reprint).toMatchObject({ title: wanted.title, contentType, fileSize, fileSha256 })
    expect(await api.waitUntilFinal(reprint.id)).toMatchObject({ state: 'done' })
  })

  test('a job whose document cannot be fetched ends in error, without its URL and credentials', async () => {
    proves('actor.system.fetch', 'event.printjob.error', 'fetch.credentials.logged')
    const { api, connectAgent } = await newOrganization()
    // Without a listener. `test/history` checks that logs and spans do not contain them.
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
    await expectEvent(api, 'printjob.error', job)
  })
})

describe.concurrent('a creation is refused, and nothing is stored, for', () => {
  const ERROR = ['envelope.code', 'envelope.message', 'envelope.request_id']
  test.each<[what: string, ids: string[], changes: Record<string, unknown>, status: number, code: string]>([
    ['a title of 256 characters', ERROR, { title: 'x'.repeat(256) }, 400, 'invalid_request'],
    ['a private URL', ['url.private', 'allowed.cidr'], BY_PRIVATE_URL, 422, 'invalid_content_url'],
  ])('%s', async (_, ids, changes, status, code) => {
    proves(...ids)
    await expectRefusal(await shop.testApi.post('/v1/printjobs', newJob(laser.id, changes)), status, code)
  })

  test('a body that is not JSON', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    await expectRefusal(await shop.testApi.post('/v1/printjobs', 'a=1', headers), 415, 'unsupported_media_type')
  })

  async function expectRefusal(answer: Answer, status: number, code: string) {
    expect(answer.status).toBe(status)
    const request_id = answer.headers.get('x-request-id')
    const facts = { message: expect.stringMatching(/\w/), doc_url: expect.stringContaining(`#error.${status}.${code}`) }
    expect(answer.body).toMatchObject({ error: { code, ...facts, request_id } })
    expect((await shop.testApi.get('/v1/printjobs')).body.data).toEqual([])
  }
})

test('a document of exactly 25 MB is printed', async () => {
  const { testApi } = await newOrganization()
  const pdf = makePdf(CONTENT_CANARY, 25 * MB)
  const { id } = await testApi.printer('Test A4 Laser')
  const job = await testApi.createJob(newJob(id, { content: pdf.toString('base64') }))
  expect(job).toMatchObject({ fileSize: 26_214_400, fileSha256: sha256(pdf) })
  expect(await testApi.waitUntilFinal(job.id)).toMatchObject({ state: 'done' })
})

describe.concurrent('the list of jobs', () => {
  test('is newest first, in pages of 25, with the jobs as they are read one by one', async () => {
    proves('endpoint.GET.printjobs', 'print-jobs.paged', 'page.limit.default')
    const { api, connectAgent } = await newOrganization()
    const { printerId } = await connectAgent()
    const created: string[] = []
    for (let n = 0; n < 26; n++) created.push((await api.createJob(newJob(printerId))).id)
    const page = await api.get('/v1/printjobs')
    expect(getIds(page)).toEqual(created.slice(1).toReversed())
    expect(page.body).toMatchObject({ hasMore: true })
    const last = await api.get(`/v1/printjobs?after=${page.body.nextCursor}`)
    expect([getIds(last), last.body.hasMore]).toEqual([created.slice(0, 1), false])
    const [oldest = ''] = created
    await api.waitUntilFinal(oldest)
    // An ascending list ends before the oldest open transaction.
    await waitFor(async () => {
      const { body } = await api.get('/v1/printjobs?dir=asc&limit=1')
      expect(body.data).toEqual([await api.getJob(oldest)])
    })
  })

  test('of a printer is newest first and paged', async () => {
    proves('printer.printjobs.paged', 'printer.printjobs.order')
    const { api, connectAgent } = await newOrganization()
    const { printerId } = await connectAgent()
    const created: string[] = []
    for (let n = 0; n < 3; n++) created.push((await api.createJob(newJob(printerId))).id)
    const path = `/v1/printers/${printerId}/printjobs?limit=2`
    const page = await api.get(path)
    const next = await api.get(`${path}&after=${page.body.nextCursor}`)
    expect([page.body.hasMore, next.body.hasMore]).toEqual([true, false])
    expect([...getIds(page), ...getIds(next)]).toEqual(created.toReversed())
  })

  test('is filtered by each parameter, and by several together', async () => {
    proves('create.source')
    const { api, connectAgent } = await newOrganization()
    const { printerId, computerId } = await connectAgent()
    const { id, createdAt } = await api.createJob(newJob(printerId, { source: 'ERP' }))
    await api.waitUntilFinal(id)
    const finds = async (query: string) => getIds(await api.get(`/v1/printjobs?${query}`)).includes(id)
    const after = `createdAfter=${createdAt}`
    const all = `printerId=${printerId}&computerId=${computerId}&source=ERP&state=error&state=done&${after}`
    expect(await finds(`${all}&createdBefore=2090-01-01T00:00:00Z`)).toBe(true)
    const others = [`printerId=${UNKNOWN_ID}`, `computerId=${UNKNOWN_ID}`, 'source=erp', 'state=queued&state=error']
    for (const query of [...others, `createdBefore=${createdAt}`])
      expect([query, await finds(query)]).toEqual([query, false])
  })

  test('shows a poller each job once, as does the feed, while 16 clients create with repeated keys', async () => {
    const { api, connectAgent } = await newOrganization()
    const { printerId, agent } = await connectAgent()
    agent.close()
    const creating = Promise.all(Array.from({ length: 16 }, (_, n) => createEach(api, printerId, `client ${n}`, 4)))
    const getId = ({ id, data }: { id: string; data?: { id: string } }) => data?.id ?? id
    const [listed, inFeed] = await Promise.all([
      follow(api, '/v1/printjobs?dir=asc&limit=5', getId, creating),
      follow(api, '/v1/events?dir=asc&wait=1&type=printjob.queued&limit=7', getId, creating),
    ])
    const created = (await creating).flat().toSorted()
    expect(new Set(created).size).toBe(64)
    expect(listed.toSorted()).toEqual(created)
    // A job that was sent to a disconnected agent is requeued.
    expect([...new Set(inFeed)].toSorted()).toEqual(created)
  })
})

/** Sends each creation twice at once and then once more, with one key. @returns the ids of the jobs. */
async function createEach(api: Api, printerId: string, client: string, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const job = newJob(printerId)
    const send = () => api.post('/v1/printjobs', job, { 'idempotency-key': `${client} ${n}` })
    const answers = [...(await Promise.all([send(), send()])), await send()]
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused.map(readError)).toEqual(refused.map(() => [409, 'idempotency_in_progress']))
    const jobIds = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.id))
    expect([jobIds.size, answers.at(-1)?.headers.get('idempotent-replayed')]).toEqual([1, 'true'])
    ids.push(...jobIds)
  }
  return ids
}

const FOLLOW_LIMIT_MS = 20_000

/** Reads from the last cursor until all created jobs were seen. */
async function follow<Item>(api: Api, path: string, getId: (item: Item) => string, creating: Promise<string[][]>) {
  let created: string[] | undefined
  void creating.then((ids) => {
    created = ids.flat()
  })
  const seen: string[] = []
  let after = ''
  const deadline = performance.now() + FOLLOW_LIMIT_MS
  while (performance.now() < deadline && !created?.every((id) => seen.includes(id))) {
    const { body } = await api.get(`${path}${after}`)
    seen.push(...body.data.map(getId))
    if (body.nextCursor) after = `&after=${body.nextCursor}`
  }
  return seen
}

test('a job that no agent has received is cancelled, and then not printed; a final or unknown job is not cancellable', async () => {
  proves(
    'event.printjob.cancelled',
    'print-job.cancel.404',
    'print-job.cancel.200',
    'edge.queued.cancel.cancelled',
    'print-job.cancel.cancelled',
    'print-job.cancel.done',
    'error.409.not_cancellable',
  )
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
  await expectEvent(api, 'printjob.cancelled', body)
  const again = await cancel(id)
  expect(readError(again)).toEqual([409, 'not_cancellable'])
  expect(again.body.error.message).toContain('`cancelled`')

  const printed: string[] = []
  await connectLightAgent(agentAddress, credential, { onPrint: (jobId) => void printed.push(jobId) })
  const next = await api.createJob(newJob(printerId))
  expect(await api.waitUntilFinal(next.id)).toMatchObject({ state: 'done' })
  expect(printed).toEqual([next.id])
  expect(readError(await cancel(UNKNOWN_ID))).toEqual([404, 'not_found'])
  const late = await cancel(next.id)
  expect(readError(late)).toEqual([409, 'not_cancellable'])
  expect(late.body.error.message).toContain('`done`')
})
