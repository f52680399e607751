import { EVENT_TYPES } from '@platen/resources/event-types.ts'
import { ApiError, type ErrorCode } from '@platen/runtime/errors.ts'
import { validatorOf } from '@platen/test/harness/documented-answers.ts'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import type { Gateway } from '../../gateway.ts'
import { DESCRIPTIONS } from '../../openapi/descriptions.ts'
import { openApiDocument, type Parameter } from '../../openapi/document.ts'
import { ERRORS } from '../../openapi/errors.ts'
import { EXAMPLES, OTHER_FORMS } from '../../openapi/examples.ts'
import type { JsonSchema } from '../../openapi/json-schema.ts'
import { PAGE, PARAMETERS } from '../../openapi/parameters.ts'
import { resolve } from '../../openapi/resolve.ts'
import { SCHEMAS } from '../../openapi/schemas.ts'
import { type Operation, operationsOf } from '../../operations.ts'
import { PAGE_QUERY } from '../../request/page.ts'

const TABLE = operationsOf({} as Gateway)
const DOCUMENT = openApiDocument(TABLE)
const OPERATIONS = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method, path, ...operation })),
)

describe('the document', () => {
  test('is valid OpenAPI 3.1 of interface version 1.0.0 [version.path]', async () => {
    const { valid, errors } = await new Validator().validate({ ...DOCUMENT })
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
    expect([DOCUMENT.openapi, DOCUMENT.info.version]).toEqual(['3.1.1', '1.0.0'])
  })

  test('has every operation of the table with its scope, and no other [endpoint.GET.openapi.json]', () => {
    const documented = OPERATIONS.map(({ operationId, method, path, security }) => ({
      operationId,
      method,
      path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      scopes: security.map((scheme) => Object.values(scheme).flat()),
    }))
    const rows = TABLE.map(({ operationId, method, path, scope, credential }) => {
      const scopes = scope === null ? [] : [scope]
      return { operationId, method, path, scopes: credential ? [[]] : [scopes, scopes] }
    })
    const byId = (a: { operationId: string }, b: { operationId: string }) => (a.operationId < b.operationId ? -1 : 1)
    expect(documented.toSorted(byId)).toEqual(rows.toSorted(byId))
    expect(Object.keys(DOCUMENT.components.securitySchemes)).toEqual(['bearer', 'basic', 'enrollmentToken'])
  })

  test('cannot be made while an operation has no description', () => {
    const operation: Operation = {
      operationId: 'brewCoffee',
      method: 'post',
      path: '/v1/coffee',
      scope: 'print',
      steps: [],
    }
    expect(() => openApiDocument([...TABLE, operation])).toThrow(/brewCoffee has no description/)
  })

  test('has only operations whose schemas and examples are there', () => {
    for (const { operationId } of TABLE) {
      const { body, success } = DESCRIPTIONS[operationId] ?? {}
      for (const name of [body, success?.schema].filter((one) => one !== undefined)) {
        expect(SCHEMAS, `wire ${name} of ${operationId} in openapi/schemas.ts`).toHaveProperty(name)
        expect(EXAMPLES).toHaveProperty(name)
      }
    }
  })

  test('has a webhook for each type of events, with the headers of Standard Webhooks', () => {
    expect(Object.keys(DOCUMENT.webhooks)).toEqual(EVENT_TYPES)
    for (const { post } of Object.values(DOCUMENT.webhooks))
      expect(post).toMatchObject({
        parameters: [{ name: 'webhook-id' }, { name: 'webhook-timestamp' }, { name: 'webhook-signature' }],
        requestBody: { content: { 'application/json': { schema: { $ref: expect.stringMatching(/Event$/) } } } },
      })
  })

  test('describes every operation, parameter, header, answer and field', () => {
    const silent: string[] = []
    function look(at: string, described: { description?: unknown; summary?: unknown }) {
      if (typeof described.description !== 'string' || !/\w.*[.:]$/s.test(described.description)) silent.push(at)
    }
    function lookInside(at: string, schema: JsonSchema) {
      for (const [name, field] of Object.entries(schema.properties ?? {})) {
        look(`${at}.${name}`, field)
        lookInside(`${at}.${name}`, field)
      }
      const inner = [schema.items, schema.anyOf, schema.oneOf, schema.allOf].flat()
      for (const one of inner) if (typeof one === 'object' && one !== null) lookInside(at, one as JsonSchema)
    }
    for (const { operationId, parameters = [], responses, ...operation } of OPERATIONS) {
      look(operationId, operation)
      for (const one of parameters) look(`${operationId} parameter`, resolve<Parameter>(DOCUMENT, one))
      for (const [status, one] of Object.entries(responses)) look(`${operationId} ${status}`, resolve(DOCUMENT, one))
    }
    for (const [name, header] of Object.entries(DOCUMENT.components.headers)) look(name, header)
    for (const [name, schema] of Object.entries(DOCUMENT.components.schemas)) {
      look(name, schema)
      lookInside(name, schema)
    }
    expect(silent).toEqual([])
  })

  test('has for each answer all headers that it can carry', () => {
    for (const { operationId, responses } of OPERATIONS)
      for (const [status, one] of Object.entries(responses)) {
        const { headers } = resolve<{ headers: object }>(DOCUMENT, one)
        expect(headers, `${operationId} ${status}`).toHaveProperty('X-Request-Id')
        if (status !== '401') expect(headers).toHaveProperty('RateLimit-Remaining')
        if (status === '429') expect(headers).toHaveProperty('Retry-After')
        if (status === '401') expect(headers).toHaveProperty('WWW-Authenticate')
      }
    const created = OPERATIONS.find(({ operationId }) => operationId === 'createPrintJob')
    expect(created?.responses[201]).toHaveProperty(['headers', 'Idempotent-Replayed'])
    expect(created?.parameters).toContainEqual({ $ref: '#/components/parameters/IdempotencyKey' })
  })

  test('has the errors of every operation, each code under its status', () => {
    for (const { operationId, responses } of OPERATIONS)
      expect(Object.keys(responses), operationId).toEqual(
        expect.arrayContaining(['400', '401', '413', '429', '500', '503']),
      )
    for (const [code, { status }] of Object.entries(ERRORS))
      expect(status, code).toBe(new ApiError(code as ErrorCode, 'a test').status)
  })
})

describe('examples', () => {
  const { schemas, responses } = DOCUMENT.components

  test.each(Object.keys(schemas))('of %s are right by the schema', (name) => {
    const { examples } = schemas[name] as { examples: unknown[] }
    expect(examples.length).toBeGreaterThan(0)
    for (const example of examples) expectValid({ $ref: `#/components/schemas/${name}` }, example)
  })

  test.each(OPERATIONS.flatMap(({ requestBody }) => requestBody?.content['application/json'].schema.$ref ?? []))(
    'of the body %s are accepted by the gateway',
    (reference) => {
      const name = reference.slice(reference.lastIndexOf('/') + 1)
      for (const example of [EXAMPLES[name], ...Object.values(OTHER_FORMS[name] ?? {})])
        expect(SCHEMAS[name]?.safeParse(example)).toMatchObject({ success: true })
    },
  )

  test.each([
    ['both', { reprintOf: '01890a5d-ac96-774b-bcce-b302099a8057' }],
    ['neither', { content: undefined, contentType: undefined }],
    ['a content without its type', { contentType: undefined }],
    ['a type without its content', { content: undefined }],
  ])('a creation with %s of the forms is wrong by the schema, as it is to the gateway', (_, changes) => {
    const body = JSON.parse(JSON.stringify({ ...EXAMPLES.NewPrintJob, ...changes }))
    const validate = validatorOf('NewPrintJob', { $ref: '#/components/schemas/NewPrintJob' })
    expect([validate(body), SCHEMAS.NewPrintJob?.safeParse(body).success]).toEqual([false, false])
  })

  test('of errors are right by their schema', () => {
    const all = [...OPERATIONS.flatMap((one) => Object.values(one.responses)), ...Object.values(responses)]
    let checked = 0
    for (const one of all) {
      const content = resolve<(typeof responses)[string]>(DOCUMENT, one).content?.['application/json']
      for (const example of Object.values(content?.examples ?? {})) {
        expectValid(content?.schema ?? {}, (example as { value: unknown }).value)
        checked++
      }
    }
    expect(checked).toBeGreaterThan(50)
  })

  function expectValid(schema: JsonSchema, value: unknown) {
    const validate = validatorOf(JSON.stringify(schema), schema)
    validate(value)
    expect(validate.errors ?? [], JSON.stringify(value)).toEqual([])
  }
})

describe('what the document says of pages is what the gateway takes', () => {
  const accepts = (query: Record<string, string>) => PAGE_QUERY.safeParse(query).success

  test('the parameters, their limits and defaults', () => {
    expect(Object.keys(PAGE_QUERY.shape)).toEqual(PAGE)
    const { limit, dir } = PARAMETERS
    const { minimum = 0, maximum = 0 } = limit.schema as { minimum?: number; maximum?: number }
    const tried = [minimum - 1, minimum, maximum, maximum + 1].map((one) => accepts({ limit: String(one) }))
    expect(tried).toEqual([false, true, true, false])
    expect(PAGE_QUERY.parse({})).toEqual({ limit: limit.schema.default, dir: dir.schema.default })
    for (const one of dir.schema.enum ?? []) expect(accepts({ dir: String(one) })).toBe(true)
  })
})
