/**
 * The OpenAPI document, made from the table of operations: what they are called, what they take and answer, and how they fail.
 * Served by `routes/openapi.ts`, shown by `page/`, and asked by the tests, which check every answer against it.
 */
import type { Operation } from '../operations.ts'
import { schemaComponents } from './components.ts'
import { type Description, TAGS } from './description.ts'
import { DESCRIPTIONS } from './descriptions.ts'
import { byStatus, type DocumentedCode, ERRORS } from './errors.ts'
import { EXAMPLES, OTHER_FORMS } from './examples.ts'
import { HEADERS, type HeaderName, headersOf } from './headers.ts'
import type { JsonSchema } from './json-schema.ts'
import { OVERVIEW } from './overview.ts'
import { IDEMPOTENCY_KEY, PARAMETERS, pathParameter } from './parameters.ts'
import { documentedWebhooks } from './webhooks.ts'

/** As much of OpenAPI 3.1 as is used. */
export interface OpenApiDocument {
  openapi: '3.1.1'
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  security: object[]
  paths: Record<string, Record<string, DocumentedOperation>>
  /** What is sent to webhook endpoints, by the type of the event. */
  webhooks: Record<string, { post: object }>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, Response>
    headers: Record<string, object>
    parameters: Record<string, Parameter>
    securitySchemes: Record<string, object>
  }
}

export interface DocumentedOperation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: Record<string, string[]>[]
  parameters?: (Parameter | Reference)[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, Response | Reference>
}

export interface Parameter {
  name: string
  in: string
  required?: boolean
  description: string
  schema: JsonSchema
}

export interface Response {
  description: string
  headers: Record<string, Reference>
  content?: Content
}

export interface Reference {
  $ref: string
}

type Content = { 'application/json': { schema: JsonSchema; example?: unknown; examples?: Record<string, object> } }

/** Version of the interface, not of the program. Source: specification, "Versioning". */
const VERSION = '1.0.0'

/** Answers that a request can get whatever operation it means, or none. */
const ANYWHERE: Record<string, Response> = {
  NotFound: errorResponse(404, ['not_found']),
  MethodNotAllowed: errorResponse(405, ['method_not_allowed']),
  RequestTimeout: errorResponse(408, ['request_timeout', 'invalid_request']),
  HeadersTooLarge: errorResponse(431, ['invalid_request']),
}

/** @throws Error when an operation has no description, or names a schema that there is not. */
export function openApiDocument(operations: readonly Operation[]): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {}
  const responses = { ...ANYWHERE }
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [operation.method]: describe(operation, responses) }
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Platen API', version: VERSION, description: OVERVIEW },
    servers: [{ url: '/' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: securityFor(null),
    paths,
    webhooks: documentedWebhooks(),
    components: {
      schemas: schemaComponents(),
      responses,
      headers: HEADERS,
      parameters: { ...PARAMETERS, IdempotencyKey: IDEMPOTENCY_KEY },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The API key.' },
        basic: { type: 'http', scheme: 'basic', description: 'The API key is the user name; the password is empty.' },
        enrollmentToken: { type: 'http', scheme: 'bearer', description: 'An enrolment token.' },
      },
    },
  }
}

/** @param shared gets the responses that several operations have. */
function describe(operation: Operation, shared: Record<string, Response>): DocumentedOperation {
  const description = DESCRIPTIONS[operation.operationId]
  if (!description) throw new Error(`the operation ${operation.operationId} has no description in openapi/operations/`)
  const parameters = parametersOf(operation, description)
  return {
    operationId: operation.operationId,
    tags: [description.tag],
    summary: description.summary,
    description: `${description.description}\n\n${needs(operation)}`,
    security: operation.credential ? [{ [operation.credential]: [] }] : securityFor(operation.scope),
    ...(parameters.length > 0 && { parameters }),
    ...(description.body && {
      requestBody: { required: !description.bodyMayBeMissing, content: contentOf(description.body) },
    }),
    responses: { ...successOf(description), ...failuresOf(operation, description, shared) },
  }
}

function needs({ scope, credential }: Operation): string {
  if (credential) return 'Needs an enrolment token, `Authorization: Bearer platen_enroll_…`, and no API key.'
  return scope === null ? 'Any valid key may call it.' : `Needs the scope \`${scope}\`.`
}

/** OpenAPI 3.1 lets schemes that are not OAuth name what a credential must be allowed to. */
function securityFor(scope: string | null): Record<string, string[]>[] {
  const scopes = scope === null ? [] : [scope]
  return [{ bearer: scopes }, { basic: scopes }]
}

function parametersOf({ path }: Operation, { query = [], idempotent }: Description): (Parameter | Reference)[] {
  const [, owner] = /^\/v1\/(\w+)\/:id/.exec(path) ?? []
  return [
    ...(owner === undefined ? [] : [pathParameter(RESOURCES[owner] ?? owner)]),
    ...(path.includes(':deliveryId') ? [pathParameter('delivery', 'deliveryId')] : []),
    ...query.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ...(idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ]
}

/** What the first part of a path lists. */
const RESOURCES: Record<string, string> = {
  printers: 'printer',
  printjobs: 'print job',
  computers: 'computer',
  webhooks: 'webhook endpoint',
  events: 'event',
}

function successOf({ success, idempotent }: Description) {
  const names = [...headersOf(success.status), ...(idempotent ? (['Idempotent-Replayed'] as const) : [])]
  const { status, description, schema } = success
  return { [status]: { description, headers: references(names), ...(schema && { content: contentOf(schema) }) } }
}

function failuresOf(operation: Operation, description: Description, shared: Record<string, Response>) {
  const failures: Record<string, Response | Reference> = {}
  for (const [status, codes] of byStatus(codesOf(operation, description))) {
    if (codes.length > SHARED_CODES_MAX) failures[status] = errorResponse(status, codes)
    else {
      const name = codes.map(inPascalCase).join('Or')
      shared[name] ??= errorResponse(status, codes)
      failures[status] = { $ref: `#/components/responses/${name}` }
    }
  }
  return failures
}

/** Responses of one or two codes come again with other operations, and their names can still be read. */
const SHARED_CODES_MAX = 2
const inPascalCase = (code: string) => code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Those that every operation of its kind has, and its own. */
function codesOf({ path, scope }: Operation, { body, errors = [] }: Description): DocumentedCode[] {
  return [
    'invalid_request',
    'unauthorized',
    ...(scope === null ? [] : (['insufficient_scope'] as const)),
    ...(path.includes('/:') ? (['not_found'] as const) : []),
    'content_too_large',
    ...(body ? (['unsupported_media_type'] as const) : []),
    'rate_limited',
    'internal_error',
    'service_unavailable',
    ...errors,
  ]
}

function errorResponse(status: number, codes: DocumentedCode[]): Response {
  const examples = codes.map((code) => [code, { value: errorExample(code) }] as const)
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join('\n\n'),
    headers: references(headersOf(status)),
    content: { 'application/json': { schema: errorSchema(codes), examples: Object.fromEntries(examples) } },
  }
}

function errorSchema(codes: DocumentedCode[]): JsonSchema {
  const required = codes.includes('quota_exceeded') ? { required: ['upgrade_url'] } : {}
  return {
    $ref: '#/components/schemas/Error',
    properties: { error: { properties: { code: { enum: codes } }, ...required } },
  }
}

function errorExample(code: DocumentedCode) {
  const error = { code, message: ERRORS[code].example, request_id: HEADERS['X-Request-Id'].example }
  return { error: code === 'quota_exceeded' ? { ...error, upgrade_url: 'https://platen.example/billing' } : error }
}

function contentOf(name: string): Content {
  if (!EXAMPLES[name]) throw new Error(`there is no example of the schema ${name}`)
  const schema = { $ref: `#/components/schemas/${name}` }
  const others = OTHER_FORMS[name]
  if (!others) return { 'application/json': { schema, example: EXAMPLES[name] } }
  const forms = Object.entries({ 'A document in the request': EXAMPLES[name], ...others })
  const examples = Object.fromEntries(forms.map(([summary, value], at) => [`form${at + 1}`, { summary, value }]))
  return { 'application/json': { schema, examples } }
}

function references(names: readonly HeaderName[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
