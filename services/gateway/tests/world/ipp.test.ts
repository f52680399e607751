/** Printers for computers, by IPP. Reference: docs/reference/ipp.md. */
import { randomInt } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { IppAnswer } from '@platen/agent/ipp/client.ts'
import type { IppTypedAttributes } from '@platen/ipp/attributes.ts'
import { encodeMessage } from '@platen/ipp/encode.ts'
import { GROUPS } from '@platen/ipp/tags.ts'
import { boolean, enumeration, integer, keyword, mimeType, name } from '@platen/ipp/typed.ts'
import { JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { DOCUMENT_MAX_BYTES, PRINT_ACCESS_LIMITS } from '@platen/resources/limits.ts'
import { createApi } from '@platen/test/harness/api.ts'
import { signInAs } from '@platen/test/harness/browser.ts'
import { makePdf } from '@platen/test/harness/pdf.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { describe, expect, test } from 'vitest'
import { addGateway, listFiles, UNKNOWN_ID, unavailable } from '../client.ts'
import { addAccess, addShared, type IppPrinting, LASER, newIppPrinting } from '../ipp-client.ts'

const PDF = makePdf('Hello')
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** With a random byte in 100, so that it is no bomb in gzip. */
const TOO_LARGE = Buffer.alloc(DOCUMENT_MAX_BYTES + 1, PDF)
for (let at = 0; at < TOO_LARGE.length; at += 100) TOO_LARGE[at] = randomInt(256)

/** Stored outside of the database. */
const LARGE = Buffer.concat([PDF, Buffer.alloc(200_000, '%')])

async function* once(bytes: Buffer) {
  yield bytes
}

const print = (
  document: Buffer = PDF,
  attributes: IppTypedAttributes = {},
  jobAttributes: IppTypedAttributes = {},
) => ({
  document: once(document),
  attributes: { 'requesting-user-name': name('anna'), 'job-name': name('Report'), ...attributes },
  jobAttributes,
})

const toId = (file: string) => file.slice(0, UNKNOWN_ID.length)

const jobId = ({ jobs }: IppAnswer) => Number(jobs[0]?.['job-id']?.[0])
const readState = ({ jobs: [job] }: IppAnswer) => [job?.['job-state']?.[0], job?.['job-state-reasons']]
const about = (id: number, more: IppTypedAttributes = {}) => ({ attributes: { 'job-id': integer(id), ...more } })

const readJobs = async ({ api }: Pick<IppPrinting, 'api'>) => (await api.get('/v1/printjobs')).body.data

/** A request of HTTP, as it is. */
async function post(
  url: string,
  { body = request(0x000b), headers = {} }: { body?: Buffer; headers?: Record<string, string> } = {},
) {
  const response = await fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/ipp', ...headers },
  })
  return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) }
}

function request(code: number, version: [number, number] = [2, 0]) {
  const attributes = {
    'attributes-charset': { syntax: 'charset', value: 'utf-8' },
    'attributes-natural-language': { syntax: 'naturalLanguage', value: 'en' },
    'printer-uri': { syntax: 'uri', value: 'ipp://localhost/ipp/print/1' },
  } as const
  return encodeMessage({ version, code, requestId: 7, groups: [{ tag: GROUPS.operation, attributes }] })
}

const basic = (password: string) => ({ authorization: `Basic ${Buffer.from(`anna:${password}`).toString('base64')}` })

describe('without a secret', () => {
  test('the attributes of a shared printer can be read by its id, and nothing else', async () => {
    proves('ipp.without-secret', 'ipp.without-secret.number', 'ipp.basic')
    const { at, printer, open, url, secret } = await newIppPrinting()
    const byId = open(at(printer.id))
    const { status, printers } = await byId('Get-Printer-Attributes')
    expect([status, printers[0]?.['printer-uuid'], printers[0]?.['uri-authentication-supported']]).toEqual([
      'successful-ok',
      [`urn:uuid:${printer.id}`],
      ['basic'],
    ])
    // Nothing about the organization.
    expect(printers[0]?.['printer-organization']).toEqual([''])
    for (const code of [0x0002, 0x0004, 0x0005, 0x0006, 0x0008, 0x0009, 0x000a, 0x0039, 0x003b, 0x003c, 0x4001]) {
      const refused = await post(at(printer.id), { body: request(code) })
      expect([code, refused.status, refused.headers.get('www-authenticate')]).toEqual([
        code,
        401,
        'Basic realm="Platen"',
      ])
    }
    const password = await post(at(printer.id), { body: request(0x000a), headers: basic(secret) })
    expect(password.status).toBe(200)
    expect((await post(at(printer.id), { body: request(0x000a), headers: basic('wrong') })).status).toBe(401)
    // A number can be guessed.
    expect((await post(at(String(printer.number)))).status).toBe(404)
    expect((await post(`${url}/ipp/print/`)).status).toBe(404)
  })

  test('a printer that is not shared, in no organization with the switch, or does not exist is the same as a wrong secret', async () => {
    proves('ipp.wrong-secret')
    const printing = await newIppPrinting()
    const { at, printer, api, world, id } = printing
    const unknown = await post(at(UNKNOWN_ID))
    const wrongSecret = await post(at(`${printer.number}/${'a'.repeat(26)}`))
    await api.patch(`/v1/printers/${printer.id}`, { shared: false })
    world.advance(5_000)
    const unshared = await post(at(printer.id))
    await api.patch(`/v1/printers/${printer.id}`, { shared: true })
    await world.accounts.updateOrganization({ organizationId: id, allowsPrintAccess: false })
    world.advance(5_000)
    const off = await post(at(printer.id))
    for (const answer of [unknown, wrongSecret, unshared, off])
      expect([answer.status, answer.body.toString()]).toEqual([404, 'There is no printer at this address.\n'])
  })
})

describe('a print access', () => {
  test('reaches the printers of its list, its own jobs, and nothing else', async () => {
    proves('ipp.access.printers', 'ipp.access.jobs')
    const printing = await newIppPrinting()
    const { at, printer, open, api } = printing
    const other = await addShared(printing)
    const secret = await addAccess(printing, { printerIds: [printer.id] })
    const stranger = await addAccess(printing)
    const own = open(at(`${printer.number}/${secret}`))
    const created = await own('Print-Job', print())
    expect(created.status).toBe('successful-ok')
    const elsewhere = open(at(`${other.number}/${secret}`))
    expect((await elsewhere('Get-Printer-Attributes')).status).toBe('client-error-not-found')
    expect((await elsewhere('Print-Job', print())).status).toBe('client-error-not-found')
    const others = open(at(`${printer.number}/${stranger}`))
    for (const operation of ['Get-Job-Attributes', 'Cancel-Job', 'Close-Job', 'Send-Document'] as const) {
      const attributes = { 'job-id': integer(jobId(created)), 'last-document': boolean(true) }
      expect((await others(operation, { attributes })).status).toBe('client-error-not-found')
    }
    expect((await others('Get-Jobs', { attributes: { 'which-jobs': keyword('all') } })).jobs).toEqual([])
    expect((await others('Cancel-My-Jobs')).status).toBe('successful-ok')
    expect(readState(await own('Get-Job-Attributes', about(jobId(created))))).toEqual([3, ['none']])
    // On another printer of the same access.
    const all = open(at(`${other.number}/${stranger}`))
    expect((await all('Get-Job-Attributes', about(jobId(created)))).status).toBe('client-error-not-found')
    expect(await readJobs(printing)).toHaveLength(1)
    expect((await createApi(printing.url, secret).get('/v1/printers')).status).toBe(401)
    expect((await api.get('/v1/printers')).status).toBe(200)
  })

  test('of one mode does not reach printers of the other, and one of another organization not even their numbers', async () => {
    proves('ipp.access.mode')
    const printing = await newIppPrinting()
    const { at, printer, open, testApi } = printing
    const testSecret = await addAccess({ api: testApi })
    const stranger = await newIppPrinting()
    for (const secret of [testSecret, stranger.secret]) {
      const answer = await open(at(`${printer.id}/${secret}`))('Print-Job', print())
      expect(answer.status).toBe('client-error-not-found')
    }
    expect(await readJobs(printing)).toEqual([])
  })

  test('that is revoked, or whose member is removed, is refused within 5 s', async () => {
    proves('ipp.access.revoked')
    const printing = await newIppPrinting()
    const { at, printer, open, api, world, id } = printing
    const member = await signInAs(printing, 'member')
    const { id: accessId, secret: revoked } = (await api.post('/v1/print-access', { name: 'a' })).body
    const { secret: removed } = (await member.post('/v1/print-access', { name: 'a' })).body
    const paths = [revoked, removed].map((secret) => at(`${printer.number}/${secret}`))
    for (const path of paths) expect((await open(path)('Validate-Job')).status).toBe('successful-ok')
    await api.delete(`/v1/print-access/${accessId}`)
    await world.accounts.removeMember({ organizationId: id, userId: member.userId })
    world.advance(5_000)
    for (const path of paths) expect((await post(path)).status).toBe(404)
  })

  test('names the creator of its jobs: the member who prints, or a program', async () => {
    proves('ipp.creator', 'print-job.reportedUser')
    const printing = await newIppPrinting()
    const { at, printer, open, address, api } = printing
    const member = await signInAs(printing, 'member')
    const own = (await member.post('/v1/print-access', { name: 'Laptop' })).body
    await open(address)('Print-Job', print())
    await open(at(`${printer.number}/${own.secret}`))('Print-Job', print())
    const [second, first] = await readJobs(printing)
    expect([first.reportedUser, first.source, second.title]).toEqual(['anna', 'ipp', 'Report'])
    const explain = async (job: { id: string }) => (await api.get(`/v1/printjobs/${job.id}/explanation`)).body
    expect((await explain(first)).createdBy).toMatchObject({ kind: 'print_access', name: "Anna's laptop" })
    const { createdBy, events } = await explain(second)
    expect(createdBy).toEqual({ kind: 'print_access', id: own.id, name: 'Laptop' })
    expect(events[0].actor).toBe('user')
    expect((await explain(first)).events[0].actor).toBe('api')
  })

  test('has 30 requests a second and as many that wait, except for documents, and 3 documents at once', async () => {
    proves('ipp.limits.30', 'ipp.limits.documents')
    const printing = await newIppPrinting()
    const send = printing.open(printing.address)
    const { requestsPerSecond } = PRINT_ACCESS_LIMITS
    const requests = Array.from({ length: 2 * requestsPerSecond + 1 }, () => send('Validate-Job'))
    expect((await Promise.all(requests)).map(({ status }) => status).toSorted()).toEqual([
      'server-error-busy',
      ...Array(2 * requestsPerSecond).fill('successful-ok'),
    ])
    expect((await send('Print-Job', print())).status).toBe('successful-ok')
    printing.world.advance(2_000)
    expect((await send('Validate-Job')).status).toBe('successful-ok')
    // Another access has its own.
    const other = printing.open(printing.at(`${printing.printer.number}/${await addAccess(printing)}`))
    expect((await other('Validate-Job')).status).toBe('successful-ok')

    const ends: (() => void)[] = []
    const slow = () => {
      const end = new Promise<void>((resolve) => ends.push(resolve))
      return async function* () {
        yield PDF
        await end
      }
    }
    const uploads = [1, 2, 3].map(() => other('Print-Job', { ...print(), document: slow()() }))
    await waitFor(async () => expect((await other('Print-Job', print())).status).toBe('server-error-busy'))
    for (const end of ends) end()
    expect((await Promise.all(uploads)).map(({ status }) => status)).toEqual(Array(3).fill('successful-ok'))
  })
})

describe('a printer', () => {
  test('has 300 requests a second together with the others of its organization', async () => {
    const printing = await newIppPrinting()
    const { open, at, printer } = printing
    const secrets = await Promise.all(Array.from({ length: 10 }, () => addAccess(printing)))
    const sends = secrets.map((secret) => open(at(`${printer.number}/${secret}`)))
    const requests = sends.flatMap((send) => Array.from({ length: 30 }, () => send('Validate-Job')))
    expect(new Set((await Promise.all(requests)).map(({ status }) => status))).toEqual(new Set(['successful-ok']))
    expect(await open(printing.address)('Validate-Job')).toMatchObject({
      status: 'server-error-busy',
      message: 'The print accesses of the organization can make 300 requests a second. Try again later.',
    })
  })

  test('that is disabled, or not shared any more, is stopped and accepts no jobs, and one whose computer is away is idle', async () => {
    proves('ipp.printer.state', 'ipp.printer.offline', 'ipp.switch')
    const printing = await newIppPrinting()
    const { open, address, api, printer, world, id } = printing
    const send = open(address)
    const read = async () => {
      world.advance(5_000)
      const [shown] = (await send('Get-Printer-Attributes')).printers
      return ['printer-state', 'printer-state-reasons', 'printer-is-accepting-jobs'].map((one) => shown?.[one])
    }
    const refused = async () => (await send('Print-Job', print())).status
    expect(await read()).toEqual([[3], ['offline-report'], [true]])
    await world.query(`UPDATE devices.computer SET state = 'online' WHERE id = $1`, [printer.computerId])
    expect(await read()).toEqual([[3], ['none'], [true]])
    await api.patch(`/v1/printers/${printer.id}`, { enabled: false })
    expect(await read()).toEqual([[5], ['paused'], [false]])
    expect(await refused()).toBe('server-error-not-accepting-jobs')
    await api.patch(`/v1/printers/${printer.id}`, { enabled: true, shared: false })
    expect(await read()).toEqual([[5], ['paused'], [false]])
    expect(await refused()).toBe('server-error-not-accepting-jobs')
    await api.patch(`/v1/printers/${printer.id}`, { shared: true })
    await world.accounts.updateOrganization({ organizationId: id, allowsPrintAccess: false })
    expect(await read()).toEqual([[5], ['paused'], [false]])
    expect(await readJobs(printing)).toEqual([])
  })

  test('answers what is requested: names, groups, or all but the database of media', async () => {
    proves('ipp.requested-attributes')
    const { open, address } = await newIppPrinting()
    const send = open(address)
    const names = async (...requested: string[]) => {
      const attributes = { 'requested-attributes': requested.map(keyword) }
      return Object.keys((await send('Get-Printer-Attributes', { attributes })).printers[0] ?? {})
    }
    expect(await names('printer-name', 'media-default', 'unknown')).toEqual(['printer-name', 'media-default'])
    expect(await names('job-template')).toEqual(expect.arrayContaining(['sides-supported', 'media-default']))
    expect(await names('job-template')).not.toContain('printer-name')
    expect(await names('all')).not.toContain('media-col-database')
    expect(await names('media-col-database')).toEqual(['media-col-database'])
    expect((await names('all')).length).toBeGreaterThan(95)
  })

  test('has a URI with host and port, of its public URL if it has one', async () => {
    proves('ipp.uris')
    const publicUrl = { publicUrl: 'https://print.example.com', isEncrypted: true }
    const { open, address, printer, secret } = await newIppPrinting({}, publicUrl)
    const [shown] = (await open(address)('Get-Printer-Attributes')).printers
    expect(shown?.['printer-icons']).toEqual(['https://print.example.com/ipp/printer.png'])
    const icon = await fetch(new URL('/ipp/printer.png', address))
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/png'])
    const plain = `ipps://print.example.com:443/ipp/print/${printer.number}`
    expect(shown?.['printer-uri-supported']).toEqual([`${plain}/${secret}`])
    expect(shown?.['uri-security-supported']).toEqual(['tls'])
    const { jobs } = await open(address)('Print-Job', print())
    expect(jobs[0]?.['job-uri']).toEqual([`${plain}/jobs/1`])
  })
})

describe('a job', () => {
  test('has the options of its attributes, and what is not supported is dropped and named, or refused with fidelity', async () => {
    proves('ipp.options.job', 'ipp.fidelity')
    const printing = await newIppPrinting()
    const send = printing.open(printing.address)
    const wanted = {
      sides: keyword('two-sided-long-edge'),
      media: keyword('iso_a5_148x210mm'),
      'print-quality': enumeration(5),
    }
    const answer = await send('Print-Job', print(PDF, {}, wanted))
    expect([answer.status, answer.unsupported]).toEqual([
      'successful-ok-ignored-or-substituted-attributes',
      { 'print-quality': [5] },
    ])
    const [job] = await readJobs(printing)
    expect(job.options).toEqual({ duplex: 'long-edge', paper: 'A5' })
    const [read] = (await send('Get-Job-Attributes', about(jobId(answer)))).jobs
    expect(read).toMatchObject({
      ...{ sides: ['two-sided-long-edge'], media: ['iso_a5_148x210mm'], copies: [1] },
      ...{ 'print-color-mode': ['auto'], 'print-quality': [4] },
    })
    const fidelity = { 'ipp-attribute-fidelity': boolean(true) }
    for (const operation of ['Print-Job', 'Validate-Job', 'Create-Job'] as const) {
      const { document: _, ...request } = print(PDF, fidelity, wanted)
      const refused = await send(operation, operation === 'Print-Job' ? print(PDF, fidelity, wanted) : request)
      expect(refused.status).toBe('client-error-attributes-or-values-not-supported')
    }
    expect(await readJobs(printing)).toHaveLength(1)
  })

  test.each<[what: string, document: Buffer, format: string | undefined, contentType: string]>([
    ['a PDF', PDF, 'application/pdf', 'pdf_base64'],
    ['a PNG', PNG, 'image/png', 'image_base64'],
    ['PWG raster', Buffer.from('RaS2PwgRaster\0'), 'image/pwg-raster', 'image_base64'],
    ['URF', Buffer.from('UNIRAST\0'), 'image/urf', 'image_base64'],
    ['recognized raster', Buffer.from('UNIRAST\0'), undefined, 'image_base64'],
    ['a recognized PDF', PDF, 'application/octet-stream', 'pdf_base64'],
    ['a recognized image', PNG, undefined, 'image_base64'],
    ['recognized data of a printer language', Buffer.from('^XA^FDParcel^FS^XZ'), undefined, 'raw_base64'],
    ['a larger PDF', Buffer.concat([PDF, Buffer.alloc(200_000, '%')]), 'application/pdf', 'pdf_base64'],
  ])('of %s is printed as such', async (_, document, format, contentType) => {
    proves('ipp.formats')
    const printing = await newIppPrinting()
    const attributes: IppTypedAttributes = format === undefined ? {} : { 'document-format': mimeType(format) }
    const { status } = await printing.open(printing.address)('Print-Job', print(document, attributes))
    expect(status).toBe('successful-ok')
    const [job] = await readJobs(printing)
    expect(job).toMatchObject({ contentType, ...(contentType !== 'image_base64' && { fileSize: document.length }) })
  })

  test.each<[what: string, document: Buffer, attributes: IppTypedAttributes, status: string]>([
    [
      'a Word document',
      PDF,
      { 'document-format': mimeType('application/msword') },
      'client-error-document-format-not-supported',
    ],
    [
      'a PDF that is called PWG raster',
      PDF,
      { 'document-format': mimeType('image/pwg-raster') },
      'client-error-document-format-error',
    ],
    ['a web page without a format', Buffer.from('<html><body>'), {}, 'client-error-document-format-not-supported'],
    [
      'a PNG that is called a PDF',
      PNG,
      { 'document-format': mimeType('application/pdf') },
      'client-error-document-format-error',
    ],
    ['nothing', Buffer.alloc(0), {}, 'client-error-bad-request'],
    ['another compression', PDF, { compression: keyword('compress') }, 'client-error-compression-not-supported'],
    ['gzip that is none', PDF, { compression: keyword('gzip') }, 'client-error-compression-error'],
    [
      'more than 25 MB',
      Buffer.alloc(DOCUMENT_MAX_BYTES + 1, PDF),
      { 'document-format': mimeType('application/pdf') },
      'client-error-request-entity-too-large',
    ],
    [
      'more than 25 MB in gzip',
      gzipSync(TOO_LARGE),
      { compression: keyword('gzip') },
      'client-error-request-entity-too-large',
    ],
  ])('of %s is refused, and nothing of it stays', async (_, document, attributes, status) => {
    proves('ipp.formats.refused', 'ipp.documents.max')
    const printing = await newIppPrinting()
    const before = await listFiles(printing.world)
    const answer = await printing.open(printing.address)('Print-Job', print(document, attributes))
    expect([answer.status, answer.message]).toEqual([status, expect.stringMatching(/\.$/)])
    expect(answer.message).toMatch(/\.$/)
    expect(await readJobs(printing)).toEqual([])
    // Conversions of other tests add to the names of their files.
    const known = new Set(before.map(toId))
    expect((await listFiles(printing.world)).filter((file) => !known.has(toId(file)))).toEqual([])
  })

  test('that is announced as larger is refused before any of it arrives, and the next request is served', async () => {
    proves('ipp.documents.max.announced')
    const printing = await newIppPrinting()
    const send = printing.open(printing.address)
    const isRefused = Promise.withResolvers<void>()
    async function* late() {
      await isRefused.promise
      yield PDF
    }
    const announced = { ...print(), document: late(), documentLength: 100 * 1024 ** 2 }
    const answer = await send('Print-Job', announced)
    isRefused.resolve()
    expect([answer.status, answer.message]).toEqual([
      'client-error-request-entity-too-large',
      `The document is larger than ${DOCUMENT_MAX_BYTES} bytes.`,
    ])
    expect((await send('Print-Job', print())).status).toBe('successful-ok')
    expect(await readJobs(printing)).toHaveLength(1)
  })

  test('of a printer of raw data alone is any data', async () => {
    const raw = { capabilities: { ...LASER, papers: [], formats: { names: ['raw'] } } }
    const printing = await newIppPrinting(raw)
    const send = printing.open(printing.address)
    const [shown] = (await send('Get-Printer-Attributes')).printers
    expect(shown?.['document-format-supported']).toEqual(['application/octet-stream'])
    expect((await send('Print-Job', print(Buffer.from('any text\n')))).status).toBe('successful-ok')
    expect((await send('Print-Job', print(PDF))).status).toBe('client-error-document-format-not-supported')
    expect(await readJobs(printing)).toMatchObject([{ contentType: 'raw_base64' }])
  })

  test('is listed with the jobs of its access, and is cancelled until an agent has it', async () => {
    proves('ipp.get-jobs', 'ipp.cancel')
    const printing = await newIppPrinting()
    const send = printing.open(printing.address)
    const ids = [
      jobId(await send('Print-Job', print())),
      jobId(await send('Print-Job', print())),
      jobId(await send('Print-Job', print())),
    ]
    const list = async (which: string, more: IppTypedAttributes = {}) =>
      (await send('Get-Jobs', { attributes: { 'which-jobs': keyword(which), ...more } })).jobs.map(
        (job) => job['job-id']?.[0],
      )
    expect(await list('not-completed')).toEqual(ids)
    expect(await list('not-completed', { limit: integer(2) })).toEqual(ids.slice(0, 2))
    expect(await list('not-completed', { 'my-jobs': boolean(true), 'requesting-user-name': name('bob') })).toEqual([])
    expect((await send('Cancel-Job', about(ids[0] ?? 0))).status).toBe('successful-ok')
    expect((await send('Cancel-Job', about(ids[0] ?? 0))).status).toBe('client-error-not-possible')
    await printing.world.query(`UPDATE jobs.job SET state = 'printing' WHERE organization_id = $1 AND number = $2`, [
      printing.id,
      ids[1],
    ])
    expect((await send('Cancel-Job', about(ids[1] ?? 0))).status).toBe('client-error-not-possible')
    expect(await list('completed')).toEqual([ids[0]])
    expect(await list('canceled')).toEqual([ids[0]])
    expect(await list('all')).toEqual(ids.toReversed())
    expect((await send('Cancel-My-Jobs')).status).toBe('successful-ok')
    expect(await list('not-completed')).toEqual([ids[1]])
    expect((await send('Get-Jobs', { attributes: { 'which-jobs': keyword('saved') } })).status).toBe(
      'client-error-attributes-or-values-not-supported',
    )
  })

  test('that failed says what its explanation says', async () => {
    proves('ipp.explanation')
    const printing = await newIppPrinting()
    const send = printing.open(printing.address)
    const id = jobId(await send('Print-Job', print()))
    printing.world.advance(86_400_000)
    await printing.world.sweep('jobs', 'expired')
    const { jobs } = await send('Get-Job-Attributes', about(id))
    const [job] = await readJobs(printing)
    const { headline, cause } = (await printing.api.get(`/v1/printjobs/${job.id}/explanation`)).body
    expect(jobs[0]).toMatchObject({ 'job-state': [8], 'job-state-message': [`${headline} ${cause}`] })
  })
})

describe('a job whose document follows', () => {
  async function begin() {
    const printing = await newIppPrinting()
    const send = printing.open(printing.address)
    const { document: _, ...facts } = print(PDF, {}, { sides: keyword('two-sided-long-edge'), copies: integer(2) })
    const created = await send('Create-Job', facts)
    const id = jobId(created)
    const sendDocument = (document: Buffer, more: IppTypedAttributes = {}) =>
      send('Send-Document', { document: once(document), ...about(id, { 'last-document': boolean(true), ...more }) })
    return {
      ...printing,
      organizationId: printing.id,
      send,
      created,
      id,
      sendDocument,
      read: () => send('Get-Job-Attributes', about(id)),
    }
  }
  const INTERRUPTED = [8, ['submission-interrupted']]

  test('exists at once for its computer, and for others with its document, under one number', async () => {
    proves('ipp.create-job', 'ipp.send-document')
    const job = await begin()
    expect([job.created.status, readState(job.created)]).toEqual(['successful-ok', [3, ['job-incoming']]])
    expect(readState(await job.read())).toEqual([3, ['job-incoming']])
    expect(await readJobs(job)).toEqual([])
    const sent = await job.sendDocument(PDF)
    expect([sent.status, jobId(sent), readState(sent)]).toEqual(['successful-ok', job.id, [3, ['none']]])
    expect(await readJobs(job)).toMatchObject([
      { number: job.id, title: 'Report', reportedUser: 'anna', options: { duplex: 'long-edge', copies: 2 } },
    ])
    // Its answer was lost.
    expect((await job.sendDocument(PDF)).status).toBe('successful-ok')
    expect(await readJobs(job)).toHaveLength(1)
    expect((await job.send('Close-Job', about(job.id))).status).toBe('successful-ok')
  })

  test('is found while it becomes a print job', async () => {
    const job = await begin()
    let lookUps = 0
    job.world.intercept(JobsService.method.listNumberedJobs, async (request, next) => {
      const answer = await next(request)
      if (lookUps++ === 0) await job.sendDocument(PDF)
      return answer
    })
    expect(readState(await job.read())).toEqual([3, ['none']])
  })

  test.each([
    ['small', PDF],
    ['large', LARGE],
  ])('can get a %s document as long as its 60 s are not over', async (_, document) => {
    const job = await begin()
    job.world.advance(59_999)
    expect((await job.sendDocument(document)).status).toBe('successful-ok')
    await job.world.sweep('jobs', 'submissions')
    expect(readState(await job.read())).toEqual([3, ['none']])
  })

  test('ends as interrupted if no document arrives in 60 s, and stays so for 7 days', async () => {
    proves('ipp.interrupted', 'ipp.interrupted.7-days')
    const job = await begin()
    job.world.advance(60_000)
    expect(readState(await job.read())).toEqual(INTERRUPTED)
    expect((await job.sendDocument(PDF)).status).toBe('client-error-not-possible')
    const aborted = await job.send('Get-Jobs', { attributes: { 'which-jobs': keyword('aborted') } })
    expect(jobId(aborted)).toBe(job.id)
    job.world.advance(6 * 86_400_000)
    await job.world.sweep('jobs', 'submissions')
    expect(readState(await job.read())).toEqual(INTERRUPTED)
    expect(await readJobs(job)).toEqual([])
  })

  test.each<[what: string, document: Buffer, more: IppTypedAttributes, status: string]>([
    ['is refused', PNG, { 'document-format': mimeType('application/pdf') }, 'client-error-document-format-error'],
    [
      'is one of several',
      PDF,
      { 'last-document': boolean(false) },
      'server-error-multiple-document-jobs-not-supported',
    ],
  ])('ends as interrupted if its document %s', async (_, document, more, status) => {
    proves('ipp.last-document')
    const job = await begin()
    expect((await job.sendDocument(document, more)).status).toBe(status)
    expect(readState(await job.read())).toEqual(INTERRUPTED)
    expect(await readJobs(job)).toEqual([])
  })

  test('ends as interrupted if the connection is cut', async () => {
    const job = await begin()
    const read = (column: string) =>
      job.world.query(`SELECT ${column} AS value FROM jobs.ipp_submission WHERE organization_id = $1`, [
        job.organizationId,
      ])
    async function* cut() {
      yield PDF
      // The gateway has received it, and keeps the job open.
      await waitFor(async () =>
        expect(await read("expires_at > created_at + interval '60 s'")).toEqual([{ value: true }]),
      )
      throw new Error('cut')
    }
    const about = { 'job-id': integer(job.id), 'last-document': boolean(true) }
    await expect(job.send('Send-Document', { document: cut(), attributes: about })).rejects.toThrow()
    await waitFor(async () => expect(await read('end_reason')).toEqual([{ value: 'interrupted' }]))
    expect(readState(await job.read())).toEqual(INTERRUPTED)
    expect(await readJobs(job)).toEqual([])
  })

  test('ends as cancelled if it is cancelled, and as interrupted if it is closed', async () => {
    proves('ipp.close-job')
    const [first, second] = [await begin(), await begin()]
    expect((await first.send('Cancel-Job', about(first.id))).status).toBe('successful-ok')
    expect(readState(await first.read())).toEqual([7, ['job-canceled-by-user']])
    expect((await first.send('Cancel-Job', about(first.id))).status).toBe('client-error-not-possible')
    expect((await first.sendDocument(PDF)).status).toBe('client-error-not-possible')
    expect((await second.send('Close-Job', about(second.id))).status).toBe('successful-ok')
    expect(readState(await second.read())).toEqual(INTERRUPTED)
  })
})

describe('a request', () => {
  test('of an unknown operation, and one while a service does not answer, is answered in IPP', async () => {
    proves('ipp.errors')
    const printing = await newIppPrinting()
    const send = printing.open(printing.address)
    expect((await send('Pause-Printer')).status).toBe('server-error-operation-not-supported')
    expect((await send('Identify-Printer')).status).toBe('successful-ok')
    const identify = { attributes: { 'identify-actions': keyword('flash') } }
    expect((await send('Identify-Printer', identify)).status).toBe('client-error-attributes-or-values-not-supported')
    printing.world.intercept(JobsService.method.createJobs, () => Promise.reject(unavailable()))
    const answer = await send('Print-Job', print())
    expect([answer.status, answer.message]).toEqual(['server-error-busy', expect.stringMatching(/\w/)])
  })

  test.each<[operation: string, send: (printing: IppPrinting) => Promise<IppAnswer>]>([
    ['Print-Job', ({ open, address }) => open(address)('Print-Job', print(LARGE))],
    [
      'Send-Document',
      async ({ open, address }) => {
        const send = open(address)
        const id = jobId(await send('Create-Job'))
        return await send('Send-Document', { document: once(LARGE), ...about(id, { 'last-document': boolean(true) }) })
      },
    ],
  ])(
    'of %s that created its job before the service failed is answered with the job, or not at all',
    async (_, send) => {
      proves('ipp.unknown')
      const known = await newIppPrinting()
      const fail = () =>
        known.world.intercept(JobsService.method.createJobs, async (request, next) => {
          await next(request)
          throw unavailable()
        })
      fail()
      expect((await send(known)).status).toBe('successful-ok')
      const [job] = await readJobs(known)
      expect(await listFiles(known.world)).toContain(job.id)
      const unknown = await newIppPrinting()
      fail()
      for (const method of ['getJob', 'endSubmission'] as const)
        known.world.intercept(JobsService.method[method], () => Promise.reject(unavailable()))
      known.world.intercept(JobsService.method.listNumberedJobs, () => Promise.reject(unavailable()))
      await expect(send(unknown)).rejects.toThrow(/closed the connection/)
      expect(await readJobs(unknown)).toHaveLength(1)
    },
  )

  test('of Print-Job whose statement is in flight when the service fails is answered with its job, which has its document', async () => {
    const printing = await newIppPrinting()
    let inFlight: (() => Promise<unknown>) | undefined
    printing.world.intercept(JobsService.method.createJobs, async (request, next) => {
      if (inFlight) return (await Promise.all([next(request), inFlight()]))[0]
      inFlight = () => next(request)
      throw unavailable()
    })
    const { status } = await printing.open(printing.address)('Print-Job', print(LARGE))
    expect(status).toBe('successful-ok')
    const [job, ...more] = await readJobs(printing)
    expect(more).toEqual([])
    expect(await listFiles(printing.world)).toContain(job.id)
  })

  test('that is refused is listed with the refused requests of its organization', async () => {
    proves('account.requests.ipp')
    const printing = await newIppPrinting()
    const attributes = { 'document-format': mimeType('application/msword') }
    const { message } = await printing.open(printing.address)('Print-Job', print(PDF, attributes))
    const reader = await signInAs(printing, 'admin')
    const [access] = (await printing.api.get('/v1/print-access')).body.data
    await waitFor(async () => {
      const { data } = (await reader.get('/account/requests')).body
      expect(data).toMatchObject([
        {
          ...{ apiKeyId: access.id, method: 'POST', route: '/ipp/print/{printer}', status: 200 },
          message: `${message} (client-error-document-format-not-supported)`,
        },
      ])
    })
  })

  test('with another method or media type, or in a body that is no IPP, is answered in HTTP', async () => {
    proves('ipp.http')
    const { address } = await newIppPrinting()
    const get = await fetch(address)
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
    expect((await post(address, { headers: { 'content-type': 'application/json' } })).status).toBe(415)
    expect((await post(address, { body: Buffer.from('{}') })).status).toBe(400)
  })

  test('of another computer without TLS is refused', async () => {
    proves('ipp.tls')
    const { address } = await newIppPrinting()
    const answer = await post(address, { headers: { 'x-forwarded-for': '192.0.2.7' } })
    expect(answer.status).toBe(426)
  })

  test('leaves its secret in no log, also not if it is wrong', async () => {
    proves('ipp.secret.logs')
    const printing = await newIppPrinting()
    const { world, address, at, printer, secret, open } = printing
    const before = world.logs.length
    await open(address)('Print-Job', print())
    await open(address)('Get-Jobs')
    const wrong = 'b'.repeat(26)
    await post(at(`${printer.number}/${wrong}`))
    await post(at(`${printer.id}`), { body: request(0x0002), headers: basic(wrong) })
    const lines = world.logs.slice(before).join('')
    expect(lines).toContain('"route":"/ipp/print/{printer}"')
    expect(lines).not.toContain(secret)
    expect(lines).not.toContain(wrong)
    expect(lines).not.toContain('Report')
  })
})

test('while it is off no path is a printer', async () => {
  proves('ipp.off')
  const { printer, secret } = await newIppPrinting()
  const { url } = await addGateway({})
  const answer = await post(`${url}/ipp/print/${printer.number}/${secret}`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8'])
})
