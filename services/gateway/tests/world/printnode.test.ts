/** The interface for programs that speak to PrintNode, with requests as its client libraries send them. */
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { type Answer, createApi } from '@platen/test/harness/api.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { getWorld, type World } from '@platen/test/harness/world.ts'
import { expect, test } from 'vitest'
import { addGateway, base64, newPrinting, sendRaw } from '../client.ts'

const PDF = base64('%PDF-1.7\n')
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

/** A gateway with the interface on all hosts, which the tests share as they share the world. */
const shared = new WeakMap<World, Promise<{ url: string }>>()

async function getSharedGateway() {
  const world = await getWorld()
  const gateway = shared.get(world) ?? world.addReplica.gateway({ printNode: { host: undefined } })
  shared.set(world, gateway)
  return await gateway
}

async function newPrintNode({ host, perSecond }: { host?: string; perSecond?: number } = {}) {
  const rates = perSecond !== undefined && { rateLimitPerSecond: perSecond, nats: undefined }
  const isShared = host === undefined && perSecond === undefined
  const gateway = await (isShared ? getSharedGateway() : addGateway({ printNode: { host }, ...rates }))
  const printing = await newPrinting('live', gateway.url)
  const { key, url } = printing
  async function send(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
    const init = {
      method,
      headers: { authorization: basic(`${key}:`), ...headers },
      ...(body === undefined ? {} : { body: Buffer.from(body) }),
    }
    const response = await fetch(`${url}${path}`, init)
    const answer: Answer = { status: response.status, headers: response.headers, body: await response.json() }
    return answer
  }
  const print = (changes: object = {}, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    send(
      'POST',
      '/printjobs',
      JSON.stringify({
        printerId: 1,
        title: 'Invoice',
        contentType: 'pdf_base64',
        content: PDF,
        source: 'shop',
        ...changes,
      }),
      headers,
    )
  return { ...printing, send, print }
}

test('a print returns the bare id, and the job is one of `/v1` as well', async () => {
  proves('printnode.create', 'printnode.on')
  const { api, print, send, printer } = await newPrintNode()
  const { status, body, headers } = await print({
    expireAfter: 1_209_600,
    options: { collate: false, nup: 1, pages: '-', rotate: 0, fit_to_page: false, glossy: true },
  })
  expect([status, body, headers.get('content-type')]).toEqual([201, 1, 'application/json'])
  const { data } = (await api.get('/v1/printjobs?number=1')).body
  expect(data).toMatchObject([
    {
      printerId: printer.id,
      title: 'Invoice',
      source: 'shop',
      expireAfter: 604_800,
      stateMessage: null,
      options: { fit_to_page: false },
    },
  ])
  expect((await send('GET', '/printjobs/1')).body).toMatchObject([
    {
      id: 1,
      title: 'Invoice',
      contentType: 'pdf_base64',
      source: 'shop',
      state: 'new',
      printer: { id: 1, computer: { id: 1 } },
    },
  ])
})

test('an option that the printer lacks is named in the job and its explanation, not in answers of this interface', async () => {
  proves('printnode.options.dropped')
  const { api, print, send, world, jobIds } = await newPrintNode()
  await print({ options: { bin: 'Tray 2', color: true, copies: 1 } })
  const [id] = await jobIds()
  await world.query(`UPDATE jobs.job SET state = 'done' WHERE id = $1`, [id])
  const stateMessage =
    'Ignored options: bin `Tray 2` (not offered by this printer); color true (not offered by this printer).'
  expect((await api.get(`/v1/printjobs/${id}`)).body).toMatchObject({ stateMessage, stateReasons: ['option-ignored'] })
  expect((await api.get(`/v1/printjobs/${id}/explanation`)).body).toMatchObject({
    headline: 'Printed, but 2 options were ignored',
    cause: 'Printer Laser printed the job without the options `bin`, `color`.',
  })
  for (const path of ['/printjobs/1', '/printjobs/1/states']) {
    const { status, body } = await send('GET', path)
    expect([status, JSON.stringify(body)]).toEqual([200, expect.not.stringContaining('gnored')])
  }
})

test.each([
  ['JSON without a content type, as Python sends it', (text: string) => text, {}],
  [
    'base64 with line breaks, as Ruby sends it',
    (text: string) => text.replace(PDF, PDF.replace(/.{4}/g, '$&\\n')),
    { 'content-type': 'application/json' },
  ],
  [
    'JSON as text, as Business Central sends it',
    (text: string) => text.replace('"printerId":1', '"printerId":"1"'),
    { 'content-type': 'text/plain; charset=utf-8' },
  ],
  [
    '`printer`, as PHP sends it',
    (text: string) => text.replace('printerId', 'printer'),
    { 'content-type': 'application/json' },
  ],
  [
    'JSON with the content type of a form',
    (text: string) => text,
    { 'content-type': 'application/x-www-form-urlencoded' },
  ],
  [
    'a form',
    (text: string) =>
      new URLSearchParams({
        ...Object.fromEntries(Object.entries(JSON.parse(text)).map(([k, v]) => [k, String(v)])),
        'options[copies]': '2',
      }).toString(),
    { 'content-type': 'application/x-www-form-urlencoded' },
  ],
])('%s is accepted', async (_, change, headers) => {
  proves('printnode.bodies')
  const { send, api } = await newPrintNode()
  const text = JSON.stringify({ printerId: 1, title: 'Invoice', contentType: 'pdf_base64', content: PDF, source: 'x' })
  const { status, body } = await send('POST', '/printjobs', change(text), headers as Record<string, string>)
  expect([status, body]).toEqual([201, 1])
  expect((await api.get('/v1/printjobs')).body.data[0]).toMatchObject({ fileSize: 9, title: 'Invoice' })
})

const TYPED = { copies: 2, fit_to_page: true, color: false, rotate: 90, dpi: '300', bin: '1', pages: '1', paper: 'A4' }
const TEXTS = {
  copies: '2',
  fit_to_page: 'true',
  color: 'False',
  rotate: '90',
  dpi: 300,
  bin: 1,
  pages: 1,
  paper: 'A4',
}
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const NESTED = Object.entries({ ...TEXTS, fit_to_page: 1, color: 0, nup: 1, rotate: 90, collate: 'false' })

test.each([
  ['texts and numbers', JSON.stringify({ ...TEXTS, nup: '1', collate: 'false', glossy: 'yes', media: '' }), undefined],
  ['a text with JSON', JSON.stringify(JSON.stringify(TEXTS)), undefined],
  ['fields of a form', undefined, NESTED.map(([name, value]) => `options[${name}]=${value}`).join('&')],
  ['a field of a form with JSON', undefined, `options=${encodeURIComponent(JSON.stringify(TEXTS))}`],
])('options have an effect as %s', async (_, json, form) => {
  proves('printnode.options')
  const { api, send } = await newPrintNode()
  const job = { printerId: 1, title: 'Invoice', contentType: 'pdf_base64', content: PDF }
  const made = json
    ? await send('POST', '/printjobs', `${JSON.stringify(job).slice(0, -1)},"options":${json}}`)
    : await send('POST', '/printjobs', `${new URLSearchParams({ ...job, printerId: '1' })}&${form}`, FORM)
  expect([made.status, made.body]).toEqual([201, 1])
  const { data } = (await api.get('/v1/printjobs')).body
  expect(data[0].options).toEqual(TYPED)
})

test.each([
  [{ copies: 'two' }, /options\.copies/],
  [{ rotate: 45 }, /options\.rotate/],
  [{ fit_to_page: 'auto' }, /options\.fit_to_page/],
  [{ pages: '5-3' }, /options\.pages/],
  ['{copies', /options/],
  [[{ copies: 2 }], /options/],
])('the options %j are refused with the name of the option', async (options, message) => {
  proves('printnode.options', 'printnode.errors.print')
  const { api, print } = await newPrintNode()
  const { status, body } = await print({ options })
  expect([status, body.message]).toEqual([400, expect.stringMatching(message)])
  expect((await api.get('/v1/printjobs')).body.data).toEqual([])
})

test('keys are accepted as user, as password, and without a colon; a wrong one gets the text that programs look for', async () => {
  proves('printnode.keys')
  const { send, key } = await newPrintNode()
  for (const text of [`${key}:`, `:${key}`, key, `${key}:x`])
    expect((await send('GET', '/whoami', undefined, { authorization: basic(text) })).status, text).toBe(200)
  for (const authorization of ['', basic(':'), basic('wrong:'), `Bearer ${key}`, basic(`${key}x:`)]) {
    const { status, body } = await send('GET', '/whoami', undefined, { authorization })
    expect([status, body]).toEqual([
      401,
      { code: 'Unauthorized', message: 'API Key not found', uid: expect.any(String) },
    ])
  }
  // The response precedes the end of the body.
  const large = await send('POST', '/printjobs', 'x'.repeat(3_000_000), { authorization: basic('wrong:') })
  expect(large).toMatchObject({ status: 401, body: { message: 'API Key not found' } })
})

test('the answer to an expired key has the time of the expiry', async () => {
  proves('printnode.keys.expired')
  const { id: organizationId, world, send } = await newPrintNode()
  const expiresAt = new Date(world.clock.now().getTime() + 1_000)
  const facts = {
    organizationId,
    name: 'Till',
    mode: 'live',
    scopes: ['read'],
    expiresAt: timestampFromDate(expiresAt),
  }
  const { key } = await world.accounts.createApiKey(facts)
  world.advance(1_000)
  const { status, body } = await send('GET', '/whoami', undefined, { authorization: basic(`${key}:`) })
  const message = `This key expired at ${expiresAt.toISOString()}. Use another key.`
  expect([status, body]).toEqual([401, { code: 'Unauthorized', message, uid: expect.any(String) }])
})

test('an answer is HTTP/1.1 with a reason, and `Content-Length` counts characters, as PHP reads it', async () => {
  proves('printnode.answers')
  const { key, port, print } = await newPrintNode()
  await print({ title: 'Größe für Zoë: 5 € 🖨' })
  const head = [
    'GET /printjobs/1 HTTP/1.1',
    'Host: a',
    `Authorization: ${basic(`${key}:`)}`,
    'Connection: close',
    '\r\n',
  ]
  const answer = await sendRaw(port, head.join('\r\n'))
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  const [, length] = /\r\nContent-Length: (\d+)\r\n/.exec(answer) ?? []
  expect(JSON.parse([...answer].slice(-Number(length)).join(''))).toMatchObject([{ title: 'Größe für Zoë: 5 € 🖨' }])
})

test.each([
  ['X-Child-Account-By-Id', '7'],
  ['X-Child-Account-By-Email', 'shop@example.com'],
  ['X-Child-Account-By-CreatorRef', 'shop'],
])('a request for a child account (%s) is refused, and prints nothing', async (name, value) => {
  proves('printnode.child-accounts')
  const { send, print, jobIds } = await newPrintNode()
  const headers = { [name]: value, 'content-type': 'application/json' }
  const expected = { status: 403, body: { code: 'Forbidden', message: expect.stringMatching(/no child accounts/) } }
  expect(await print({}, headers)).toMatchObject(expected)
  expect(await send('GET', '/printers', undefined, headers)).toMatchObject(expected)
  expect(await jobIds()).toEqual([])
})

test.each(['X-Auth-With-Account-Credentials', 'X-Auth-With-Client-Key'])(
  'other credentials than an API key (%s) are refused',
  async (name) => {
    proves('printnode.credentials')
    const { send } = await newPrintNode()
    const { status, body } = await send('GET', '/whoami', undefined, { [name]: 'API', 'Accept-Version': '~3' })
    expect([status, body]).toEqual([
      401,
      { code: 'Unauthorized', message: expect.stringMatching(/only API keys/), uid: expect.any(String) },
    ])
  },
)

test('what is missing has an answer in the envelope, and the paths of the dashboard are not taken', async () => {
  proves('printnode.missing')
  const { send, url } = await newPrintNode()
  const requests = [
    ['GET', '/account/tag/Likes'],
    ['PATCH', '/account/'],
    ['POST', '/account/apikey/Shop'],
    ['GET', '/account/controllable'],
    ['GET', '/download/client/windows'],
    ['GET', '/client/key/0a'],
    ['GET', '/webhooks'],
    ['POST', '/webhook'],
    ['PUT', '/printjobs/1'],
  ] as const
  for (const [method, path] of requests) {
    const { status, body } = await send(method, path)
    expect([status, body], path).toEqual([
      404,
      { code: 'NotFound', message: expect.stringMatching(/API of PrintNode/), uid: expect.any(String) },
    ])
  }
  for (const path of ['/billing/statistics', '/billing/plan'])
    expect((await send('GET', path)).body, path).toEqual({ current: {} })
  const ofDashboard = await fetch(`${url}/account/session`)
  expect([ofDashboard.status, await ofDashboard.json()]).toMatchObject([401, { error: { code: 'unauthorized' } }])
})

test('a key without a scope, an unknown path and a malformed set get errors in the envelope', async () => {
  proves('printnode.errors')
  const { send, addKey } = await newPrintNode()
  const reader = await addKey('live', ['read'])
  const refused = await send('POST', '/printjobs', '{}', { authorization: basic(`${reader}:`) })
  expect(refused).toMatchObject({
    status: 403,
    body: { code: 'Forbidden', message: expect.stringMatching(/scope print/) },
  })
  expect(await send('GET', '/printjobs/1/nothing')).toMatchObject({ status: 404, body: { code: 'NotFound' } })
  for (const set of ['a', '0', '5-1', '1-', '2147483648', '%zz'])
    expect(await send('GET', `/printjobs/${set}`), set).toMatchObject({ status: 400, body: { code: 'BadRequest' } })
})

test('lists take sets, limits and directions, with doubled and trailing slashes; missing ids are missing', async () => {
  proves('printnode.sets')
  const { send, print } = await newPrintNode()
  for (let n = 0; n < 4; n++) await print({ title: `Job ${n}` })
  const ids = async (path: string) => (await send('GET', path)).body.map(({ id }: { id: number }) => id)
  expect(await ids('/printjobs')).toEqual([4, 3, 2, 1])
  expect(await ids('/printjobs/1,3-9')).toEqual([4, 3, 1])
  expect(await ids('/printjobs/1%2C2')).toEqual([2, 1])
  expect(await ids('/printjobs/77')).toEqual([])
  expect(await ids('/printjobs?limit=2&dir=asc&after=1')).toEqual([2, 3])
  expect(await ids('/printers/1/printjobs/')).toEqual([4, 3, 2, 1])
  expect(await ids('/printers/9/printjobs')).toEqual([])
  expect(await ids('/computers//1/printers//1')).toEqual([1])
  // Ruby sends an empty set as no set.
  for (const path of ['/computers//printers', '/computers//printers/1']) expect(await ids(path), path).toEqual([1])
  expect(await ids('/printers//printjobs/2,3')).toEqual([3, 2])
  expect((await send('GET', '/printjobs/states/')).body).toHaveLength(4)
  for (const path of ['/printers//printjobs', '/printers//printjobs/2'])
    expect((await send('DELETE', path)).status, path).toBe(404)
  expect(await ids('/computers/1')).toEqual([1])
  expect(await ids('//printers/1')).toEqual([1])
  expect(await ids('/printers/2')).toEqual([])
  expect((await send('GET', '/computer/1/scales')).body).toEqual([])
})

test('states are those of PrintNode, an array for each job; a cancellation returns the ids that it cancelled', async () => {
  proves('printnode.states', 'printnode.cancel')
  const { send, print, world, jobIds } = await newPrintNode()
  for (let n = 0; n < 3; n++) await print()
  const [first] = await jobIds()
  await world.query(`UPDATE jobs.job SET state = 'printing' WHERE id = $1`, [first])
  expect((await send('DELETE', '/printjobs/1,2,9')).body).toEqual([2])
  const { body } = await send('GET', '/printjobs/2/states')
  expect(body).toMatchObject([
    [
      { printJobId: 2, state: 'new', age: 0 },
      { printJobId: 2, state: 'deleted' },
    ],
  ])
  expect((await send('GET', '/printjobs/1,3')).body).toMatchObject([{ state: 'new' }, { state: 'sent_to_client' }])
  expect((await send('DELETE', '/printers/1/printjobs')).body).toEqual([3])
  expect((await send('DELETE', '/printjobs')).body).toEqual([])
})

test('a used `X-Idempotency-Key` is 409, and prints nothing again', async () => {
  proves('printnode.idempotency')
  const { print, jobIds } = await newPrintNode()
  const headers = { 'content-type': 'application/json', 'x-idempotency-key': 'order 17' }
  expect((await print({}, headers)).status).toBe(201)
  for (const changes of [{}, { title: 'Other' }])
    expect(await print(changes, headers)).toMatchObject({ status: 409, body: { code: 'Conflict' } })
  expect(await jobIds()).toHaveLength(1)
})

test('faults of a print name what to change', async () => {
  proves('printnode.errors.print')
  const { id, print, world } = await newPrintNode()
  const cases: [object, RegExp][] = [
    [{ printerId: 5 }, /Printer 5 does not exist/],
    [{ printerId: 'x' }, /Printer x does not exist/],
    [{ content: '!' }, /base64/],
    [{ contentType: 'pdf' }, /contentType/],
    [{ contentType: 'pdf_uri', content: 'http://192.168.0.1/a.pdf' }, /PLATEN_ALLOWED_NETWORKS/],
    [
      { contentType: 'pdf_uri', content: 'http://a.example.com/a', authentication: { type: 'DigestAuth' } },
      /BasicAuth/,
    ],
  ]
  for (const [changes, message] of cases) {
    const { status, body } = await print(changes)
    expect([400, 422], JSON.stringify(body)).toContain(status)
    expect(body).toEqual({ code: expect.any(String), message: expect.stringMatching(message), uid: expect.any(String) })
  }
  // The dashboard shows them.
  const sql = 'SELECT route, message FROM accounts.refusal WHERE organization_id = $1 ORDER BY id'
  const refusals = await waitFor(async () => {
    const rows = await world.query(sql, [id])
    expect(rows).toHaveLength(cases.length)
    return rows
  })
  expect(refusals).toMatchObject(
    cases.map(([, message]) => ({ route: '/printjobs (PrintNode)', message: expect.stringMatching(message) })),
  )
})

test('a test key sees and uses the virtual printers', async () => {
  proves('printnode.test-keys')
  const { send, testKey } = await newPrintNode()
  const { body } = await send('GET', '/printers', undefined, { authorization: basic(`${testKey}:`) })
  expect(body).toHaveLength(4)
  expect(body[0]).toMatchObject({ capabilities: { papers: {} }, computer: { name: 'Virtual test computer' } })
})

test('reads of a key are counted apart from its other requests, within the limit of its organization', async () => {
  proves('printnode.rate')
  const { send } = await newPrintNode({ perSecond: 20 })
  const read = () => send('GET', '/ping')
  const answers = await Promise.all(Array.from({ length: 21 }, read))
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused).toMatchObject([{ status: 429, body: { code: 'TooManyRequests' } }])
  expect(refused[0]?.headers.get('retry-after')).toBe('1')
  expect((await send('DELETE', '/printjobs/1')).status).toBe(200)
})

test('a form has at most 64 fields, and 64 KiB beside the document, and is read in linear time', async () => {
  proves('printnode.form')
  const { send } = await newPrintNode()
  const post = async (text: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return (await send('POST', '/printjobs', text, headers)).body.message
  }
  const fields = (count: number) => Array.from({ length: count }, (_, n) => `options[a${n}]=1`).join('&')
  expect(await post(fields(64))).not.toContain('64 fields')
  expect(await post(fields(65))).toMatch(/^The form must have at most 64 fields/)
  expect(await post(`title=${'x'.repeat(64 * 1024)}`)).toMatch(/65536 characters beside `content`/)
  expect(await post(`content=${'x'.repeat(128 * 1024)}`)).not.toContain('characters')
  expect(await post(fields(100_000))).toMatch(/^The form must have at most 64 fields/)
})

test('without the setting its paths answer with an error in its form that names the setting, and `/v1/whoami` reports that it is off', async () => {
  proves('printnode.off', 'whoami.installation')
  const { url, api } = await newPrinting()
  const message = expect.stringMatching(/is off\. .*PLATEN_PRINTNODE_API=on\. .* begin with \/v1\.$/)
  for (const [method, path] of [
    ['GET', '/whoami'],
    ['GET', '//computers/1/printers/'],
    ['POST', '/printjobs'],
    ['GET', '/account/apikey/x'],
  ] as const) {
    const answer = await fetch(`${url}${path}`, { method })
    expect([answer.status, answer.headers.get('content-type')], path).toEqual([404, 'application/json'])
    expect(await answer.json()).toEqual({ code: 'NotFound', message, uid: answer.headers.get('x-request-id') })
  }
  expect((await api.get('/v1/whoami')).body.installation).toEqual({ printNode: false, documentPreview: true })
  const { api: on } = await newPrintNode()
  expect((await on.get('/v1/whoami')).body.installation).toEqual({ printNode: true, documentPreview: true })
})

test('with a host name the paths exist on that host alone, and nothing else does', async () => {
  proves('printnode.host')
  const { port, url, key } = await newPrintNode({ host: 'printnode.example.com' })
  const statusAt = async (host: string, path: string) => {
    const head = [`GET ${path} HTTP/1.1`, `Host: ${host}`, `Authorization: ${basic(`${key}:`)}`, 'Connection: close']
    return (await sendRaw(port, [...head, '\r\n'].join('\r\n'))).slice('HTTP/1.1 '.length, 12)
  }
  expect(await statusAt('PrintNode.example.com:8080', '/whoami')).toBe('200')
  expect(await statusAt('printnode.example.com', '/v1/whoami')).toBe('404')
  expect(await statusAt('print.example.com', '/whoami')).toBe('404')
  expect((await createApi(url, key).get('/v1/whoami')).status).toBe(200)
})

test('the OpenAPI document is the same with and without the interface, byte for byte', async () => {
  proves('printnode.v1')
  const { url, world } = await newPrintNode()
  const read = async (base: string) => await (await fetch(`${base}/v1/openapi.json`)).text()
  const document = await read(world.gatewayUrl)
  expect((await read(url)) === document).toBe(true)
  expect(document).toContain('/v1/printjobs')
})
