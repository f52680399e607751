/**
 * Requests generated from the schemas of the gateway, to the real services. A request that satisfies its schema gets no
 * validation error, and any other request gets one. `createApi` checks every response against the OpenAPI document.
 */

import { OPERATIONS } from '@platen/gateway/operations.ts'
import { groupMembers } from '@platen/gateway/request/deep-object.ts'
import { addGateway, base64, newPrinting } from '@platen/gateway/tests/client.ts'
import { buildPath } from '@platen/gateway/tests/request-to.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { changedObject, type Schema, validValue } from '../fuzz/schema-arbitrary.ts'
import { createApi } from '../harness/api.ts'
import { proves } from '../harness/rules.ts'

/** The requests of each operation. */
const RUNS = Number(process.env.PLATEN_FUZZ_RUNS || 25)
/** Without a seed `fast-check` derives one from the time. */
const SEED = Number(process.env.PLATEN_FUZZ_SEED || fc.sample(fc.nat(), 1)[0])
/** Concurrent requests. */
const BATCH = 10
const LIMIT_MS = 60_000 + RUNS * BATCH * 10

const NOTHING = z.strictObject({})

interface Request {
  /** True if the resource of the path exists. */
  exists: boolean
  query: unknown
  body: unknown
}

/** Values that services validate beyond the schema: URLs and signed cursors. */
const FITTING: Record<string, object> = {
  createWebhook: { url: 'https://hooks.example.com/' },
  updateWebhook: { url: undefined },
}

function requests(schemas: { query: Schema; body: Schema | undefined }, fitting: object): fc.Arbitrary<Request> {
  const query = (made: fc.Arbitrary<unknown>) =>
    made.map((fields) => JSON.parse(JSON.stringify({ ...(fields as object), wait: undefined, after: undefined })))
  const body = (made: fc.Arbitrary<unknown>) => made.map((fields) => ({ ...(fields as object), ...fitting }))
  const { body: schema = NOTHING as Schema } = schemas
  const valid = { exists: fc.boolean(), query: query(validValue(schemas.query)), body: body(validValue(schema)) }
  return fc.oneof(
    fc.record(valid),
    fc.record({ ...valid, query: query(changedObject(schemas.query)) }),
    fc.record({ ...valid, body: changedObject(schema) }),
  )
}

/** The query parameters: texts, once or repeated, or one for each member of an object. */
function toQuery(query: unknown): { text: string; fields: Record<string, string | string[]> } {
  const entries = Object.entries(query as object)
    .flatMap(toMembers)
    .map(([name, value]) => {
      const texts = [value].flat().map((one) => String(one).toWellFormed())
      return [name, texts.length === 1 ? (texts[0] ?? '') : texts] as [string, string | string[]]
    })
  const given = entries.filter(([, value]) => value.length > 0 || value === '')
  const text = given.flatMap(([name, value]) =>
    [value].flat().map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(one)}`),
  )
  return { text: text.length > 0 ? `?${text.join('&')}` : '', fields: Object.fromEntries(given) }
}

function toMembers([name, value]: [string, unknown]): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[name, value]]
  return Object.entries(value).map(([key, one]) => [`${name}[${key.toWellFormed()}]`, one])
}

/** Resources for the path of each operation. @param url of the gateway, if it is not that of the world. */
async function newTarget(url?: string) {
  const printing = await newPrinting('live', url)
  const { api, job, printer, world } = printing
  world.addHost('hooks.example.com', ['93.184.216.34'], 9)
  const { id: printJob } = await api.createJob(job())
  const { id: webhook } = (
    await api.post('/v1/webhooks', { url: 'https://hooks.example.com/', events: ['printjob.done'] })
  ).body
  const { id: delivery } = (await api.post(`/v1/webhooks/${webhook}/test`, {})).body
  const { id: destination } = (await api.post('/v1/destinations', { name: 'kitchen', printers: [printer.id] })).body
  const { token } = (await api.post('/v1/enrollments', { maxUses: 1000, expiresInSeconds: 604_800 })).body
  const ids = {
    ...{ printer: printer.id, computer: printer.computerId, destination, 'print job': printJob },
    ...{ 'webhook endpoint': webhook, delivery },
  }
  return { ...printing, ids, token }
}

console.info(`PLATEN_FUZZ_SEED=${SEED}`)

test.each(OPERATIONS.map((operation) => [operation.operationId, operation] as const))(
  '%s answers as its schema and the document say',
  { timeout: LIMIT_MS },
  async (operationId, operation) => {
    proves('convention.json')
    const { method, credential, query, body } = operation
    const isCreation = operationId === 'createPrintJob'
    // All documents are in the file store, so documents without a job are found.
    const gateway = isCreation ? await addGateway({ inlineDocumentBytes: 0 }) : undefined
    const { ids, token, key, url, job, world, expectFilesOfJobs } = await newTarget(gateway?.url)
    const api = createApi(url, credential ? token : key)
    const schemas = { query: (query ?? NOTHING) as Schema, body: body as Schema | undefined }
    const creation = { printerId: job().printerId, content: base64('%PDF-1.7') }
    const takesBody = method === 'post' || method === 'patch'
    const counts = { valid: 0, invalid: 0 }

    async function check({ exists, query, body }: Request) {
      const { text, fields } = toQuery(query)
      const target = buildPath(operation, exists ? ids : {}) + text
      const sent = JSON.stringify(body)
      const init = takesBody ? { body: sent, headers: { 'content-type': 'application/json' } } : {}
      const answer = await api.request(method.toUpperCase(), target, init)
      const isValid =
        schemas.query.safeParse(groupMembers(fields)).success &&
        (!takesBody || (schemas.body ?? (NOTHING as Schema)).safeParse(JSON.parse(sent)).success)
      counts[isValid ? 'valid' : 'invalid']++
      const what = `${method} ${target} ${takesBody ? sent : ''}: ${answer.status} ${JSON.stringify(answer.body)}`
      expect(answer.status, what).toBeLessThan(500)
      // The service that uses a URL validates it, a time is late by its clock, and names and printers are compared with
      // others.
      const isRefused =
        answer.status === 400 &&
        !/^(`jobs\[\d+\]`: )?`?(url`: must be an http or https URL|notBefore`: must be at most|name`: another destination|printers`: has a printer twice)/.test(
          answer.body.error.message,
        )
      // The resource of the path is looked up before the body is read.
      if (isValid || exists || !operation.ids) expect(isRefused, what).toBe(!isValid)
      if (answer.status >= 400) expect(answer.body.error.request_id, what).toBe(answer.headers.get('x-request-id'))
      else if (answer.status !== 204)
        expect(answer.headers.get('content-type')).toBe(
          operation.answer.contentType ?? 'application/json; charset=utf-8',
        )
    }
    const fitting = isCreation ? creation : (FITTING[operationId] ?? {})
    const batches = fc.array(requests(schemas, fitting), { minLength: BATCH, maxLength: BATCH, size: 'max' })
    const together = fc.asyncProperty(batches, async (batch) => {
      // A new second for the rate limit.
      world.advance(1_000)
      await Promise.all(batch.map(check))
    })
    await fc.assert(together, { seed: SEED, numRuns: Math.ceil(RUNS / BATCH) })
    // Otherwise the requests prove nothing.
    expect(Math.min(counts.valid, counts.invalid)).toBeGreaterThan(0)
    if (isCreation) await expectFilesOfJobs()
  },
)
