import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CASES, type Case, type RecordedRequest, startServer, WEBHOOKS } from '../../conformance/server.ts'
import * as sdk from '../src/main.ts'

// biome-ignore lint/suspicious/noExplicitAny: the arguments of a case
type Arguments = any

type Requests = () => Promise<RecordedRequest[]>

const KEY = 'platen_test_conformance'
const METHODS: Record<string, (platen: sdk.Platen, call: Arguments, requests: Requests) => Promise<unknown>> = {
  printer: (platen, { id }) => platen.printers.get(id),
  printers: (platen, { query }) => collect(platen.printers.list(query)),
  findPrinter: (platen, { printer }) => platen.printers.find(printer),
  updatePrinter: (platen, { id, changes }) => platen.printers.update(id, changes),
  deleteComputer: (platen, { id }) => platen.computers.delete(id),
  cancel: (platen, { id }) => platen.printJobs.cancel(id),
  createBatch: (platen, { jobs, idempotencyKey }) => platen.printJobs.createBatch({ jobs }, { idempotencyKey }),
  cancelBatch: (platen, { id }) => platen.printJobs.cancelBatch(id),
  create: (platen, { method: _, idempotencyKey, file, text, path, ...job }) =>
    platen.printJobs.create(
      {
        ...job,
        ...(file && { file: new Blob([file]) }),
        ...(text && { file: text }),
        ...(path && { path: toFile(path) }),
      },
      { idempotencyKey },
    ),
  wait: (platen, { id, timeoutMs }) => platen.printJobs.wait(id, { timeout: timeoutMs }),
  follow: (platen, { count, after }) => collect(platen.events.follow({ after }), count),
  async abort(platen, { id }, requests) {
    const controller = new AbortController()
    const call = platen.printers.get(id, { signal: controller.signal })
    await waitFor(async () => expect(await requests()).toHaveLength(1))
    controller.abort()
    return await call
  },
}

async function* endless() {
  for (;;) yield new Uint8Array(1024 * 1024)
}

const toFile = (name: string) => join(import.meta.dirname, '../../conformance', name)

let url: string
let stop: () => void

beforeAll(async () => {
  const started = await startServer()
  url = started.url
  stop = () => {
    started.server.closeAllConnections()
    started.server.close()
  }
})
afterAll(() => stop())

describe.concurrent('the TypeScript library', () => {
  test.each(CASES.map((one, position) => [one.rule, position, one] as const))('%s', async (_, position, one) => {
    const baseUrl = `${url}/typescript/${position}`
    const platen = new sdk.Platen({
      apiKey: KEY,
      baseUrl,
      maxRetries: one.client?.maxRetries,
      timeout: one.client?.timeoutMs,
    })
    const method = METHODS[one.call.method]
    if (!method) throw new Error(`cases.json has the unknown method ${one.call.method}`)
    const requests = async () => (await (await fetch(`${baseUrl}/requests`)).json()) as RecordedRequest[]
    const outcome = await method(platen, one.call, requests).then(
      (result) => ({ result }),
      (error: Error) => ({ error }),
    )
    compareOutcome(one, outcome)
    compareRequests(one, await requests())
  })

  test.each<[string, Arguments, string | undefined]>([
    ['bytes', { file: new TextEncoder().encode('^XA^XZ') }, '^XA^XZ'],
    ['a view', { file: new DataView(new TextEncoder().encode('^XA^XZ').buffer) }, '^XA^XZ'],
    ['a buffer', { file: new TextEncoder().encode('^XA^XZ').buffer }, '^XA^XZ'],
    ['a URL of a file', { path: pathToFileURL(toFile('label.zpl')) }, '^XA^FO50,50^A0N,40,40^FDHello^FS^XZ\n'],
    ['a stream', { file: new Blob(['^XA', '^XZ']).stream() }, '^XA^XZ'],
    ['a stream of Node', { file: createReadStream(toFile('label.zpl')) }, '^XA^FO50,50^A0N,40,40^FDHello^FS^XZ\n'],
    ['the body of a fetch', { file: new Response('^XA^XZ').body }, '^XA^XZ'],
    ['a stream of texts', { file: createReadStream(toFile('label.zpl'), 'utf8') }, undefined],
    ['an endless stream', { file: endless() }, undefined],
    ['a name of a file', { file: './document.pdf' }, undefined],
    ['numbers', { file: [94, 88, 65] }, undefined],
    ['an object', { file: { path: 'document.pdf' } }, undefined],
    ['both', { file: new Blob(['^XA^XZ']), path: toFile('label.zpl') }, undefined],
    ['a directory', { path: toFile('.') }, undefined],
  ])('a document is bytes, a stream of them or a file, and nothing else is sent: %s', async (name, document, sent) => {
    const baseUrl = `${url}/${encodeURIComponent(name)}/none`
    const platen = new sdk.Platen({ apiKey: KEY, baseUrl, maxRetries: 0 })
    const printer = '019a5c1e-7d11-7e55-8a42-94c1b0d7f602'
    const error = await platen.printJobs.create({ printer, title: 'Label', ...document }).catch((caught) => caught)
    expect(error).toBeInstanceOf(sent === undefined ? sdk.PlatenError : sdk.ApiError)
    const requests = (await (await fetch(`${baseUrl}/requests`)).json()) as RecordedRequest[]
    expect(requests.map(({ parts }) => parts?.file)).toEqual(sent === undefined ? [] : [sent])
  })

  test.each(WEBHOOKS.map(({ rule, expect }, position) => [rule, position, expect] as const))(
    '%s',
    async (_, position, expected) => {
      const signed = await fetch(`${url}/webhooks/${position}`)
      const { body, headers, secret } = (await signed.json()) as Record<'body' | 'secret', string> & { headers: object }
      const verified = sdk.verifyWebhook(body, { ...headers }, secret)
      if (expected === 'valid') expect(await verified).toEqual(JSON.parse(body))
      else await expect(verified).rejects.toThrow(expected)
    },
  )
})

function compareOutcome({ expect: expected }: Case, { result, error }: { result?: unknown; error?: Error }): void {
  if (!expected.error) {
    if (error) throw error
    const json = result === undefined ? undefined : JSON.parse(JSON.stringify(result))
    if (Array.isArray(expected.result)) expect(json).toMatchObject(expected.result)
    else expect(json ?? {}).toMatchObject(expected.result ?? {})
    return
  }
  const { class: name, message = '', request_id, upgrade_url, doc_url, retry_after_seconds, ...fields } = expected.error
  const renamed = {
    ...{ requestId: request_id, upgradeUrl: upgrade_url, docUrl: doc_url },
    retryAfterSeconds: retry_after_seconds,
  }
  const given = Object.entries({ ...fields, ...renamed }).filter(([, value]) => value !== undefined)
  expect(error).toMatchObject({ name, ...Object.fromEntries(given) })
  expect(error?.message).toContain(message)
  if (name !== 'AbortError') expect(error).toBeInstanceOf(sdk.PlatenError)
  expect(String(error?.stack)).not.toContain(KEY)
}

function compareRequests({ expect: expected }: Case, requests: RecordedRequest[]): void {
  const { requests: wanted, attempts, sameKey, parts, waitedMs } = expected
  if (wanted) expect(requests.map(({ method, path }) => ({ method, path }))).toEqual(wanted)
  if (attempts !== undefined) expect(requests).toHaveLength(attempts)
  for (const { headers } of requests) expect(headers.authorization).toBe(`Bearer ${KEY}`)
  if (sameKey) {
    const keys = new Set(requests.map(({ headers }) => headers['idempotency-key']))
    expect([...keys]).toEqual([sameKey === true ? expect.stringMatching(/.{16,}/) : sameKey])
  }
  if (parts) expect(requests.map((request) => request.parts)).toEqual(requests.map(() => parts))
  if (waitedMs !== undefined) expect((requests[1]?.atMs ?? 0) - (requests[0]?.atMs ?? 0)).toBeGreaterThan(waitedMs - 10)
}

async function collect<T>(items: AsyncIterable<T>, count = Number.POSITIVE_INFINITY): Promise<T[]> {
  const collected: T[] = []
  for await (const item of items) if (collected.push(item) >= count) break
  return collected
}
