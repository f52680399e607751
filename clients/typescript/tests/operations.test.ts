import dns from 'node:dns'
import { isIP } from 'node:net'
import { inspect } from 'node:util'
import { OPENAPI_DOCUMENT } from '@platen/gateway/openapi/document.ts'
import { errorCodes } from '@platen/gateway/operation/operation.ts'
import { OPERATIONS } from '@platen/gateway/operations.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { OPERATIONS as METHODS, type Operation } from '../../generator/operations.ts'
import * as sdk from '../src/main.ts'

// biome-ignore lint/suspicious/noExplicitAny: made from the OpenAPI document
type FromDocument = any

const KEY = 'platen_test_never-shown'
const ID = '019a5c1e-7d11-7e55-8a42-94c1b0d7f602'
const SECOND_ID = '019a5c1e-7d11-7e55-8a42-94c1b0d7f603'
/** A new job has a printer; other bodies are sent as they are. */
const BODY: FromDocument = { printer: ID, field: 'value' }

/** Keys do not get it. */
const SESSION_CODE = 'recent_sign_in_required'

const documented = Object.entries(OPENAPI_DOCUMENT.paths ?? {}).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]: [string, FromDocument]) => ({ path, method, operation })),
)

describe('an operation', () => {
  test.each(documented.map((one) => [one.operation.operationId as string, one] as const))(
    '%s has a method that sends its path, its body and all its query parameters',
    async (operationId, { path, method, operation }) => {
      const query = sampleQuery(operation.parameters ?? [])
      const requests: { url: URL; init: RequestInit }[] = []
      const platen = new sdk.Platen({
        apiKey: KEY,
        baseUrl: 'https://platen.example.com/printing/',
        fetch: async (url, init = {}) => {
          requests.push({ url: new URL(String(url)), init })
          return new Response(JSON.stringify({ data: [], hasMore: false, nextCursor: null }))
        },
      })
      await call(platen, operationId, query)
      expect(requests).toHaveLength(1)
      const [{ url, init } = { url: new URL('http://none'), init: {} }] = requests
      const ids = [ID, SECOND_ID]
      expect([init.method, url.pathname]).toEqual([
        method.toUpperCase(),
        `/printing${path.replaceAll(/\{\w+\}/g, () => ids.shift() ?? '')}`,
      ])
      const sent = Object.fromEntries([...url.searchParams.keys()].map((name) => [name, url.searchParams.getAll(name)]))
      expect(sent).toEqual(Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value].flat()])))
      if (operation.requestBody) expect(JSON.parse(String(init.body))).toMatchObject({ field: 'value' })
      else expect(init.body).toBeUndefined()
      expect('idempotency-key' in (init.headers as object)).toBe(hasIdempotencyKey(operation))
    },
  )
})

/** Calls the method of an operation. A list gets all query parameters of the document. */
async function call(platen: FromDocument, operationId: string, query: FromDocument): Promise<unknown> {
  const operation = METHODS.find((one) => one.operationId === operationId) as Operation
  const { resource, method, ids, takesToken, body, answer } = operation
  const sent = body ? [BODY] : operation.query.length > 0 ? [query] : []
  const token = takesToken ? ['platen_enroll_token'] : []
  const target = resource === undefined ? platen : platen[resource]
  const result = target[method](...token, ...[ID, SECOND_ID].slice(0, ids.length), ...sent)
  return await (answer.kind === 'page' ? result.page() : result)
}

/** Two values for a parameter that can be repeated. */
function sampleQuery(parameters: FromDocument[]): Record<string, string | string[]> {
  const named = parameters.map(resolve).filter((parameter) => parameter.in === 'query')
  return Object.fromEntries(named.map(({ name, schema }) => [name, schema.items ? ['a b', 'c&d'] : `${name} 1`]))
}

const hasIdempotencyKey = ({ parameters = [] }: FromDocument) =>
  parameters.map(resolve).some(({ name }: FromDocument) => name === 'Idempotency-Key')

function resolve(value: FromDocument): FromDocument {
  return value.$ref
    ? resolve((OPENAPI_DOCUMENT.components as FromDocument).parameters[value.$ref.split('/').at(-1)])
    : value
}

test('each error code of the API has a class of its name', async () => {
  const codes = [...new Set(OPERATIONS.flatMap(errorCodes))].filter((code) => code !== SESSION_CODE)
  expect(codes.length).toBeGreaterThan(20)
  for (const code of codes) {
    const name = code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
    const fetch = async () => Response.json({ error: { code, message: 'Failed.', request_id: '1' } }, { status: 418 })
    const platen = new sdk.Platen({ apiKey: KEY, baseUrl: 'http://localhost', maxRetries: 0, fetch })
    const error = await platen.whoami().catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf((sdk as FromDocument)[name])
    expect(error).toMatchObject({ name, code, status: 418 })
  }
})

test('each member of an object in a query is a parameter of its own', async () => {
  const sent: string[] = []
  const fetch = async (url: Parameters<typeof globalThis.fetch>[0]) => {
    sent.push(decodeURIComponent(String(url)))
    return Response.json({ data: [], hasMore: false, nextCursor: null })
  }
  const platen = new sdk.Platen({ apiKey: KEY, baseUrl: 'http://localhost', fetch })
  await platen.printJobs.list({ limit: 1, metadata: { order: '4711', till: '2' } }).page()
  expect(sent).toEqual(['http://localhost/v1/printjobs?limit=1&metadata[order]=4711&metadata[till]=2'])
})

test('no text form of a client or of its resources contains the key', () => {
  const platen = new sdk.Platen({ apiKey: KEY, baseUrl: 'http://localhost' })
  for (const value of [platen, platen.printers, platen.printJobs, platen.events.follow()])
    expect(inspect(value, { depth: 9, showHidden: true }) + JSON.stringify(value)).not.toContain(KEY)
})

test('a setting that is missing or malformed is an error that names it, without its value', () => {
  const baseUrl = 'http://localhost'
  const create = (options: sdk.PlatenOptions) => () => new sdk.Platen(options)
  expect(create({ baseUrl, apiKey: '' })).toThrow('PLATEN_KEY')
  for (const apiKey of ['secret\nkey', 'secret key', 'secret\0key', 'secrét'])
    expect(create({ baseUrl, apiKey })).toThrow(/^The API key must be printable ASCII without white space\.$/)
  expect(create({ apiKey: KEY, baseUrl: '' })).toThrow('PLATEN_URL')
  for (const url of ['localhost:8080', 'ftp://localhost', 'http://user:pass@localhost', 'http://localhost?a=1'])
    expect(create({ apiKey: KEY, baseUrl: url })).toThrow(/^The address must be an http or https URL/)
})

test('white space around the key and the address, as a file has it, is no part of them', async () => {
  const sent: [string, string | null][] = []
  const fetch = async (url: unknown, { headers }: RequestInit = {}) => {
    sent.push([String(url), new Headers(headers).get('authorization')])
    return Response.json({})
  }
  await new sdk.Platen({ apiKey: `${KEY}\r\n`, baseUrl: 'http://localhost\n', fetch }).whoami()
  expect(sent).toEqual([['http://localhost/v1/whoami', `Bearer ${KEY}`]])
})

test('an id cannot lead to another path', async () => {
  const urls: string[] = []
  const fetch = async (url: unknown) => {
    urls.push(String(url))
    return Response.json({})
  }
  const platen = new sdk.Platen({ apiKey: KEY, baseUrl: 'http://localhost', fetch })
  for (const id of ['', '.', '..']) await expect(platen.printers.get(id)).rejects.toThrow('is not an id')
  await platen.printers.get('../whoami?a=1#b')
  expect(urls).toEqual(['http://localhost/v1/printers/..%2Fwhoami%3Fa%3D1%23b'])
})

test('a number is sent in place of an id; a wait first reads the id', async () => {
  const urls: string[] = []
  const fetch = async (url: unknown) => {
    urls.push(String(url).replace('http://localhost/v1', ''))
    // The feed asks again at once.
    await new Promise(setImmediate)
    return Response.json({ id: ID, state: 'done', data: [], hasMore: false, nextCursor: 'cursor' })
  }
  const { printJobs } = new sdk.Platen({ apiKey: KEY, baseUrl: 'http://localhost', fetch })
  for (const number of [31, '31', '#31']) await printJobs.get(number)
  expect(urls.splice(0)).toEqual(['/printjobs/31', '/printjobs/31', '/printjobs/%2331'])
  for (const number of [Number.NaN, 1.5]) await expect(printJobs.get(number)).rejects.toThrow('is not an id')
  expect(await printJobs.wait(31)).toMatchObject({ id: ID })
  expect(urls.filter((url) => url.startsWith('/printjobs'))).toEqual(['/printjobs/31', `/printjobs/${ID}`])
})

test('the JSON of a job consists of the fields of the API', async () => {
  const data = { id: ID, title: 'Invoice', state: 'done' }
  const fetch = async () => Response.json(data)
  const job = await new sdk.Platen({ apiKey: KEY, baseUrl: 'http://localhost', fetch }).printJobs.get(ID)
  expect(JSON.parse(JSON.stringify(job))).toEqual(data)
  expect({ ...job }).toEqual(data)
  expect(job.isFinal).toBe(true)
  expect(await job.wait()).toBe(job)
})

test('an error names the failure of each address of the host', async () => {
  const lookup = vi.spyOn(dns, 'lookup')
  onTestFinished(() => lookup.mockRestore())
  const addresses = ['127.0.0.1', '::1'].map((address) => ({ address, family: isIP(address) }))
  lookup.mockImplementation(((_host: string, _options: object, done: (error: null, all: object[]) => void) =>
    done(null, addresses)) as unknown as typeof dns.lookup)
  const platen = new sdk.Platen({ apiKey: KEY, baseUrl: `http://print.test:${await freePort()}`, maxRetries: 0 })
  await expect(platen.whoami()).rejects.toThrow(/\(connect ECONNREFUSED 127\.0\.0\.1:\d+, connect E[A-Z]+ ::1:\d+/)
})
