/** Pictures of labels and receipts. What they show is tested in `services/preview`. */
import { checkDocumented } from '@platen/test/harness/documented-answers.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { base64, expectError, newPrinting } from '../client.ts'

const LABEL = '^XA^PW400^LL240^FO20,20^A0N,40,40^FDBolts M8^FS^QQ^XZ'

async function preview(key: string, url: string, body: FormData | object, accept = 'application/json') {
  const isForm = body instanceof FormData
  const headers = { authorization: `Bearer ${key}`, accept, ...(isForm ? {} : { 'content-type': 'application/json' }) }
  return await fetch(`${url}/v1/previews`, { method: 'POST', headers, body: isForm ? body : JSON.stringify(body) })
}

function toForm(document: string, fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', new Blob([document]), 'label.zpl')
  return form
}

test('a document as JSON and as a form has the same pictures, of its size and with its warnings', async () => {
  proves(
    'endpoint.POST.previews',
    'preview.form',
    'preview.contentType',
    'preview.size',
    'preview.warnings',
    'preview.language',
  )
  const { api, url, key } = await newPrinting('test')
  const asJson = await api.post('/v1/previews', { contentType: 'raw_base64', content: base64(LABEL) })
  expect(asJson).toMatchObject({
    status: 200,
    body: {
      language: 'zpl',
      pages: [{ widthMm: 50, heightMm: 30, warnings: [{ offset: 47, message: 'Unknown command "^QQ".' }], events: [] }],
    },
  })
  const asForm = await preview(key, url, toForm(LABEL, { contentType: 'raw' }))
  expect(await asForm.json()).toEqual(asJson.body)
  const larger = await preview(
    key,
    url,
    toForm('^XA^FO0,0^FDx^FS^XZ', { language: 'zpl', dpi: '300', widthMm: '40', heightMm: '20.5' }),
  )
  expect(await larger.json()).toMatchObject({ pages: [{ widthMm: 40, heightMm: 20.5 }] })
})

test('a request that accepts SVG gets the picture, which cannot run as a page', async () => {
  proves('preview.svg', 'preview.accept')
  const { url, key } = await newPrinting('test')
  const response = await preview(key, url, toForm(LABEL), 'image/svg+xml')
  expect(response.headers.get('content-type')).toBe('image/svg+xml')
  expect(response.headers.get('content-security-policy')).toContain('sandbox')
  const svg = await response.text()
  const header = (name: string) => response.headers.get(name)
  checkDocumented({ method: 'POST', target: '/v1/previews', status: response.status, header, body: svg })
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="50mm" height="30mm"/)
  expect(svg).not.toMatch(/<script|href="(?!#|data:)/)
})

test('a receipt shows when the printer cuts', async () => {
  proves('preview.events')
  const { api } = await newPrinting('test')
  const { body } = await api.post('/v1/previews', {
    contentType: 'raw_base64',
    content: base64('\x1b@Hello\n\x1dV\x00'),
  })
  expect(body).toMatchObject({ language: 'escpos', pages: [{ events: [{ kind: 'cut', atMm: 3.75 }] }] })
})

test('a document in another language has a warning, unless the request says how to draw it', async () => {
  proves('preview.warnings.language')
  const { api } = await newPrinting('test')
  const content = base64('N\nq400\nA50,50,0,3,1,1,N,"Bolts"\nP1\n')
  const draw = async (fields: object) =>
    (await api.post('/v1/previews', { contentType: 'raw_base64', content, ...fields })).body.pages[0].warnings
  expect(await draw({})).toEqual([{ offset: 0, message: 'The document looks like EPL, which is not drawn.' }])
  expect(await draw({ language: 'escpos' })).toEqual([])
})

test('a document can have 1 MB', async () => {
  proves('preview.1mb', 'preview.1mb.refused')
  const { url, key } = await newPrinting('test')
  const pad = (bytes: number) => LABEL + ' '.repeat(bytes - LABEL.length)
  for (const toBody of [toForm, (text: string) => ({ contentType: 'raw_base64', content: base64(text) })]) {
    expect((await preview(key, url, toBody(pad(1_000_000)))).status).toBe(200)
    expect((await preview(key, url, toBody(pad(1_000_001)))).status).toBe(413)
  }
})

test.each([
  ['dpi', 600, 'preview.dpi.600'],
  ['widthMm', 1_000, 'preview.widthMm.1000'],
  ['heightMm', 2_500, 'preview.heightMm.2500'],
])('%s can be up to %i', async (field, max, rule) => {
  proves(rule)
  const { api } = await newPrinting('test')
  const body = { contentType: 'raw_base64', content: base64(LABEL) }
  expect((await api.post('/v1/previews', { ...body, [field]: max })).status).toBe(200)
  expectError(await api.post('/v1/previews', { ...body, [field]: max + 1 }), 400, 'invalid_request')
})

test('a PDF, a URL, other fields and wrong base64 are refused', async () => {
  const { api, url, key } = await newPrinting('test')
  for (const contentType of ['pdf_base64', 'raw_uri'])
    expectError(await api.post('/v1/previews', { contentType, content: base64(LABEL) }), 400, 'invalid_request')
  expectError(await api.post('/v1/previews', { contentType: 'raw_base64', content: '%' }), 422, 'invalid_content')
  expectError(
    await api.post('/v1/previews', { contentType: 'raw_base64', content: base64(LABEL), dpi: 7 }),
    400,
    'invalid_request',
  )
  const pdf = await preview(key, url, toForm('%PDF-1.7'))
  expect([pdf.status, ((await pdf.json()) as { error: { message: string } }).error.message]).toEqual([
    400,
    expect.stringMatching(/of a form `raw`: only labels/),
  ])
})
