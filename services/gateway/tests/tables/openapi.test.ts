import { readFileSync } from 'node:fs'
import { EVENT_TYPES } from '@platen/resources/event-types.ts'
import { createExample } from '@platen/resources/example-of.ts'
import {
  DOCUMENT,
  getValidator,
  type Parameter,
  type Response,
  resolve,
} from '@platen/test/harness/documented-answers.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { errorEnvelope } from '../../error-envelope.ts'
import type { JsonSchema } from '../../json-schema.ts'
import { ERROR_CODES } from '../../openapi/errors.ts'
import { OPERATIONS as TABLE } from '../../operations.ts'
import { PAGE_QUERY } from '../../request/page.ts'

const OPERATIONS = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method, path, ...operation })),
)

describe('the document', () => {
  test('is valid OpenAPI 3.1 of interface version 1.0.0', async () => {
    proves('version.path', 'endpoint.GET.openapi.json')
    const { valid, errors } = await new Validator().validate({ ...DOCUMENT })
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
    expect([DOCUMENT.openapi, DOCUMENT.info.version]).toEqual(['3.1.1', '1.0.0'])
  })

  test('has a callback for each type of events, with the headers of Standard Webhooks', () => {
    const callbacks = Object.entries(DOCUMENT.paths['/v1/webhooks']?.post?.callbacks ?? {})
    expect(callbacks.map(([type]) => type)).toEqual(EVENT_TYPES)
    for (const [, callback] of callbacks)
      expect(callback['{$request.body#/url}']?.post).toMatchObject({
        parameters: [{ name: 'webhook-id' }, { name: 'webhook-timestamp' }, { name: 'webhook-signature' }],
        requestBody: { content: { 'application/json': { schema: { $ref: expect.stringMatching(/Event$/) } } } },
      })
  })

  test('describes every operation, parameter, header, answer and field', () => {
    const silent: string[] = []
    function check(at: string, described: { description?: unknown; summary?: unknown }) {
      if (typeof described.description !== 'string' || !/\w.*[.:]$/s.test(described.description)) silent.push(at)
    }
    function checkFields(at: string, schema: JsonSchema) {
      for (const [name, field] of Object.entries(schema.properties ?? {})) {
        check(`${at}.${name}`, resolve<JsonSchema>(field))
        checkFields(`${at}.${name}`, field)
      }
      const inner = [schema.items, schema.anyOf, schema.oneOf, schema.allOf].flat()
      for (const one of inner) if (typeof one === 'object' && one !== null) checkFields(at, one as JsonSchema)
    }
    for (const { operationId, parameters = [], responses, ...operation } of OPERATIONS) {
      check(operationId, operation)
      for (const one of parameters) check(`${operationId} parameter`, resolve<Parameter>(one))
      for (const [status, one] of Object.entries(responses)) check(`${operationId} ${status}`, resolve<Response>(one))
    }
    for (const [name, header] of Object.entries(DOCUMENT.components.headers)) check(name, header)
    for (const [name, schema] of Object.entries(DOCUMENT.components.schemas)) {
      check(name, schema)
      checkFields(name, schema)
    }
    expect(silent).toEqual([])
  })

  test('marks each enum of responses and events as one that can get new values', () => {
    proves('compatibility.enums')
    const enums = new Map<string, JsonSchema>()
    const seen = new Set<unknown>()
    function find(at: string, schema: unknown) {
      if (typeof schema !== 'object' || schema === null || seen.has(schema)) return
      seen.add(schema)
      if ('$ref' in schema) return find(String(schema.$ref), resolve<JsonSchema>(schema as JsonSchema))
      if ('enum' in schema && Array.isArray(schema.enum)) enums.set(at, schema as JsonSchema)
      for (const [name, inner] of Object.entries(schema)) if (name !== 'examples') find(`${at}/${name}`, inner)
    }
    for (const { operationId, responses, callbacks } of OPERATIONS) find(operationId, { responses, callbacks })
    expect([...enums.keys()]).toContain('#/components/schemas/JobState')
    for (const [at, schema] of enums) expect(schema['x-extensible-enum'], at).toEqual(schema.enum)
  })

  test('has for each answer all headers that it can carry', () => {
    for (const { operationId, responses } of OPERATIONS)
      for (const [status, one] of Object.entries(responses)) {
        const { headers } = resolve<Response>(one)
        expect(headers, `${operationId} ${status}`).toHaveProperty('X-Request-Id')
        if (!['401', '408'].includes(status)) expect(headers).toHaveProperty('RateLimit-Remaining')
        if (status === '429') expect(headers).toHaveProperty('Retry-After')
        if (status === '401') expect(headers).toHaveProperty('WWW-Authenticate')
      }
    const created = OPERATIONS.find(({ operationId }) => operationId === 'createPrintJob')
    expect(created?.responses[201]).toHaveProperty(['headers', 'Idempotent-Replayed'])
    expect(created?.parameters).toContainEqual({ $ref: '#/components/parameters/IdempotencyKey' })
  })

  test('has the fields of a page for every list, except the events of a job and print accesses', () => {
    proves('convention.list.shape')
    const lists = OPERATIONS.flatMap(({ operationId, responses }) => {
      const content = resolve<Response>(responses[200] ?? {}).content?.['application/json']
      const { properties = {} } = resolve<JsonSchema>(content?.schema ?? {})
      return 'data' in properties ? [{ operationId, fields: Object.keys(properties) }] : []
    })
    expect(lists.length).toBeGreaterThan(10)
    for (const { operationId, fields } of lists)
      expect(fields, operationId).toEqual(
        ['listPrintJobEvents', 'listPrintAccess'].includes(operationId) ? ['data'] : ['data', 'hasMore', 'nextCursor'],
      )
  })

  test('has every list of `docs/lists.md`, and no other with pages', () => {
    const [, first = ''] = readFileSync(new URL('../../../../docs/lists.md', import.meta.url), 'utf8').split('\n\n')
    const named = [...first.matchAll(/`(?:GET )?(\/v1[^`]*)`/g)].map(([, path]) => path)
    const paged = OPERATIONS.filter(({ parameters = [] }) =>
      parameters.some((one) => resolve<Parameter>(one).name === 'after'),
    ).map(({ path }) => path)
    expect(named.toSorted()).toEqual(paged.toSorted())
  })

  test('names in a 415 each content type that the operation accepts', () => {
    for (const { operationId, requestBody, responses } of OPERATIONS) {
      const description = responses[415] && resolve<Response>(responses[415]).description
      for (const type of Object.keys(requestBody?.content ?? {}))
        expect(description, operationId).toContain(`\`${type}\``)
    }
  })

  test('has the errors of every operation, each code under its status', () => {
    for (const { operationId, responses } of OPERATIONS)
      expect(Object.keys(responses), operationId).toEqual(
        expect.arrayContaining(['400', '401', '413', '429', '500', '503']),
      )
  })
})

test.each(ERROR_CODES)('`doc_url` of %s is its rule in the reference, at the address of the installation', (code) => {
  proves('envelope.doc_url')
  const page = readFileSync(new URL('../../../../docs/reference/errors.md', import.meta.url), 'utf8')
  const error = { code, message: 'x', param: undefined }
  const at = (publicUrl: string | undefined) => errorEnvelope(error, { requestId: 'x', publicUrl }).error.doc_url
  const [path, anchor] = at(undefined).split('#')
  expect(path).toBe('/docs/reference/errors')
  expect(page).toContain(`<a id="${anchor}"></a>`)
  expect(at('https://print.example.com/')).toBe(`https://print.example.com${path}#${anchor}`)
})

describe('examples', () => {
  test.each(
    TABLE.flatMap(({ operationId, answer }) => (answer.schema ? [[operationId, answer, answer.schema] as const] : [])),
  )('of the answer of %s are right by its schema in the document', (operationId, { examples }, schema) => {
    const { responses } = OPERATIONS.find((one) => one.operationId === operationId) ?? {}
    const [success] = Object.entries(responses ?? {}).filter(([status]) => status.startsWith('2'))
    const content = resolve<Response>(success?.[1] ?? {}).content?.['application/json']
    const { only, ...named } = examples ?? { only: createExample(schema) as object }
    for (const example of [only ?? [], Object.values(named)].flat()) expectValid(content?.schema ?? {}, example)
    expect(content?.example).toEqual(only)
    expect(Object.keys(content?.examples ?? {})).toHaveLength(Object.keys(named).length)
  })

  test.each(
    TABLE.flatMap(({ operationId, body, bodyExamples }) => (body ? [{ operationId, body, bodyExamples }] : [])),
  )(
    'of the body of $operationId are accepted by the gateway',
    ({ operationId, body, bodyExamples = { only: createExample(body) as object } }) => {
      const { requestBody } = OPERATIONS.find((one) => one.operationId === operationId) ?? {}
      for (const example of Object.values(bodyExamples)) {
        expectValid(requestBody?.content['application/json'].schema ?? {}, example)
        expect(body.safeParse(example)).toMatchObject({ success: true })
      }
    },
  )

  test.each(
    TABLE.flatMap(({ operationId, method, body, bodyExamples }) =>
      body && method !== 'patch' ? [{ operationId, body, bodyExamples }] : [],
    ),
  )(
    'null in a field that may be left out of the body of $operationId is the same as no field, unless it has a meaning',
    ({ operationId, body, bodyExamples = { only: createExample(body) as object } }) => {
      proves('convention.null-is-absent')
      const { requestBody } = OPERATIONS.find((one) => one.operationId === operationId) ?? {}
      const schema = requestBody?.content['application/json'].schema ?? {}
      const { properties = {} } = resolve<JsonSchema>(schema)
      for (const example of Object.values(bodyExamples)) {
        const nulls = Object.keys(properties).map((name) => [name, null])
        const sent = { ...Object.fromEntries(nulls), ...example }
        expectValid(schema, sent)
        const parsed = Object.entries(body.parse(sent) as object).filter(([, value]) => value !== null)
        expect(Object.fromEntries(parsed)).toEqual(body.parse(example))
      }
    },
  )

  test('of errors are right by their schema', () => {
    const all = [
      ...OPERATIONS.flatMap((one) => Object.values(one.responses)),
      ...Object.values(DOCUMENT.components.responses),
    ]
    let checked = 0
    for (const one of all) {
      const content = resolve<Response>(one).content?.['application/json']
      for (const example of Object.values(content?.examples ?? {})) {
        expectValid(content?.schema ?? {}, (example as { value: unknown }).value)
        checked++
      }
    }
    expect(checked).toBeGreaterThan(50)
  })

  function expectValid(schema: JsonSchema, value: unknown) {
    const validate = getValidator(JSON.stringify(schema), schema)
    validate(value)
    expect(validate.errors ?? [], JSON.stringify(value)).toEqual([])
  }
})

describe('the gateway accepts the documented parameters of pages', () => {
  const accepts = (query: Record<string, string>) => PAGE_QUERY.safeParse(query).success

  test('the parameters, their limits and defaults', () => {
    const { limit, after, dir, ...more } = DOCUMENT.components.parameters as unknown as Record<string, Parameter>
    if (!limit || !after || !dir) throw new Error('the document lacks a parameter of pages')
    expect(Object.keys(PAGE_QUERY.shape)).toEqual([limit.name, after.name, dir.name])
    expect(Object.keys(more)).toEqual(['IdempotencyKey'])
    const { minimum = 0, maximum = 0 } = limit.schema as { minimum?: number; maximum?: number }
    const tried = [minimum - 1, minimum, maximum, maximum + 1].map((one) => accepts({ limit: String(one) }))
    expect(tried).toEqual([false, true, true, false])
    expect(PAGE_QUERY.parse({})).toEqual({ limit: limit.schema.default, dir: dir.schema.default })
    for (const one of dir.schema.enum ?? []) expect(accepts({ dir: String(one) })).toBe(true)
  })
})
