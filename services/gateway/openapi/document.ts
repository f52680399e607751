/**
 * The OpenAPI document of the table of operations. Served by `routes/openapi.ts`. Tests check every response against
 * it.
 */
import { createExample } from '@platen/resources/example-of.ts'
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '@platen/resources/limits.ts'
import { type ErrorCode, getStatus } from '@platen/runtime/errors.ts'
import { z } from 'zod'
import {
  createDocument,
  type ZodOpenApiMediaTypeObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiResponseObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi'
import { getRoles } from '../authentication/require-permission.ts'
import { ROLES } from '../caller.ts'
import { errorCodes, type Operation } from '../operation/operation.ts'
import { hasNumber } from '../operation/resolve-ids.ts'
import { OPERATIONS } from '../operations.ts'
import { ERROR, errorContent, MEANINGS } from './errors.ts'
import { describeHeaders, HEADERS } from './headers.ts'
import { OVERVIEW } from './overview.ts'
import { toPortableForms } from './portable-forms.ts'
import { TAGS } from './tags.ts'

/** The version of the API, not of the program. Reference: docs/reference/compatibility.md. */
const VERSION = '1.0.0'

const IDEMPOTENCY_KEY = z
  .string()
  .min(1)
  .max(IDEMPOTENCY_KEY_LENGTH_MAX)
  .optional()
  .meta({
    description:
      'A key that makes the request safe to repeat. The same key with the same body returns the first job and creates nothing. A key is known for 24 hours, by organization and mode. A new intent, such as a reprint, needs a new key.',
    example: 'order-1042-invoice',
    param: { id: 'IdempotencyKey' },
  })

const LICENSE = { name: 'Apache License 2.0', identifier: 'Apache-2.0' }

/** Responses with one or two codes are shared by operations, under a name that is still readable. */
const SHARED_CODES_MAX = 2

export type OpenApiDocument = ReturnType<typeof createDocument>

export const OPENAPI_DOCUMENT = createOpenApiDocument(OPERATIONS)

export function createOpenApiDocument(operations: readonly Operation[]): OpenApiDocument {
  return toPortableForms(makeDocument(operations))
}

function makeDocument(operations: readonly Operation[]): OpenApiDocument {
  const shared = new Map<string, ZodOpenApiResponseObject>()
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {}
  for (const operation of operations)
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describe(operation, shared) }
  return createDocument(
    {
      openapi: '3.1.1',
      info: { title: 'Platen API', version: VERSION, license: LICENSE, description: OVERVIEW },
      servers: [{ url: '/' }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      security: securityFor(null),
      paths,
      components: {
        schemas: { Error: ERROR },
        responses: Object.fromEntries(shared),
        headers: HEADERS,
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'The API key.' },
          enrollmentToken: { type: 'http', scheme: 'bearer', description: 'An enrolment token.' },
        },
      },
    },
    {
      override: ({ jsonSchema, zodSchema }) => {
        // Responses can get new fields. Objects that refuse unknown fields declare it themselves.
        const { def } = zodSchema as z.ZodObject
        if (def.type === 'object' && !def.catchall) delete jsonSchema.additionalProperties
      },
    },
  )
}

/** @param shared receives the responses that several operations have. */
function describe(operation: Operation, shared: Map<string, ZodOpenApiResponseObject>): ZodOpenApiOperationObject {
  const { operationId, tag, summary, description, scope, credential, body, callbacks } = operation
  const { ids, query, isIdempotent, headers } = operation
  return {
    operationId,
    tags: [tag],
    summary,
    description: `${description}\n\n${describeCredential(operation)}`,
    security: credential ? [{ [credential]: [] }] : securityFor(scope),
    ...((ids || query || isIdempotent || headers) && { requestParams: describeParameters(operation) }),
    ...(body && { requestBody: describeBody(operation, body) }),
    responses: { ...describeAnswer(operation), ...describeFailures(operation, shared) },
    ...(callbacks && { callbacks }),
  }
}

function describeCredential(operation: Operation): string {
  const { scope, credential } = operation
  if (credential) return 'Requires an enrolment token, `Authorization: Bearer platen_enroll_…`, instead of an API key.'
  const key = scope === null ? 'Any valid key can call it.' : `Requires the scope \`${scope}\`.`
  const session = describeRoles(operation)
  return session ? `${key} ${session}` : key
}

/** The roles of sessions. */
function describeRoles(operation: Operation): string {
  const [live, test] = [getRoles(operation, 'live'), getRoles(operation, 'test')]
  if (live.length === ROLES.length) return ''
  return `With a session it requires the role ${live.toReversed().join(' or ')}${test.length > live.length ? ' in live mode' : ''}.`
}

/**
 * OpenAPI 3.1 permits scopes for schemes other than OAuth. Sessions and HTTP Basic are not listed, because some
 * generated clients send the API key by each alternative at once.
 */
function securityFor(scope: string | null): Record<string, string[]>[] {
  return [{ bearer: scope === null ? [] : [scope] }]
}

function describeParameters({
  ids = {},
  query,
  isIdempotent,
  headers,
}: Operation): ZodOpenApiOperationObject['requestParams'] {
  // Text, because generators of clients make a type of its own of each alternative of an id and a number.
  const path = Object.entries(ids).map(([name, what]) => [
    name,
    hasNumber(what)
      ? z.string().meta({ description: `The id of the ${what}, or its \`number\`.` })
      : z.guid().meta({ description: `The id of the ${what}.` }),
  ])
  return {
    path: z.object(Object.fromEntries(path)),
    ...(query && { query: query as z.ZodObject }),
    ...(isIdempotent && { header: z.object({ 'Idempotency-Key': IDEMPOTENCY_KEY }) }),
    ...(headers && { header: headers }),
  }
}

function describeBody({ bodyIsOptional, bodyExamples, form }: Operation, schema: z.ZodType) {
  const content = describeJson(schema, bodyExamples, 'form')
  return {
    required: !bodyIsOptional,
    content: { ...content, ...(form && { 'multipart/form-data': { schema: form } }) },
  }
}

/** @param examples by title. */
function describeJson(schema: z.ZodType, examples: Record<string, object> | undefined, name: string) {
  if (!examples) return { 'application/json': { schema, example: createExample(schema) } }
  const named = Object.entries(examples).map(([summary, value], at) => [`${name}${at + 1}`, { summary, value }])
  return { 'application/json': { schema, examples: Object.fromEntries(named) } }
}

function describeAnswer({ answer, isIdempotent }: Operation) {
  const { status, description, schema, examples, contentType, acceptableType } = answer
  const headers = describeHeaders(status, ...(isIdempotent ? (['Idempotent-Replayed'] as const) : []))
  const content = {
    ...(schema && describeJson(schema, examples, 'example')),
    ...(contentType && { [contentType]: {} }),
    ...(acceptableType && { [acceptableType]: { schema: { type: 'string' as const } } }),
  }
  return { [status]: { description, headers, ...(Object.keys(content).length > 0 && { content }) } }
}

function describeFailures(operation: Operation, shared: Map<string, ZodOpenApiResponseObject>) {
  const failures: Record<string, unknown> = {}
  const byStatus = Map.groupBy([...new Set(errorCodes(operation))], getStatus)
  for (const [status, codes] of byStatus) {
    if (codes.length > SHARED_CODES_MAX) failures[status] = describeFailure(status, codes)
    else {
      const name = codes.map(inPascalCase).join('Or')
      shared.set(name, describeFailure(status, codes))
      failures[status] = { $ref: `#/components/responses/${name}` }
    }
  }
  return failures as ZodOpenApiResponsesObject
}

function inPascalCase(code: string): string {
  return code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function describeFailure(status: number, codes: ErrorCode[]): ZodOpenApiResponseObject {
  return {
    description: codes.map((code) => `\`${code}\`: ${MEANINGS[code]}`).join('\n\n'),
    headers: describeHeaders(status, ...(codes.includes('idempotency_in_progress') ? (['Retry-After'] as const) : [])),
    content: { 'application/json': errorContent(codes) as ZodOpenApiMediaTypeObject },
  }
}
