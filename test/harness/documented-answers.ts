/**
 * Checks every response that a test receives against the OpenAPI document: status, headers and body must match the
 * operation. Called by the test clients.
 */

import type { JsonSchema } from '@platen/gateway/json-schema.ts'
import { OPENAPI_DOCUMENT } from '@platen/gateway/openapi/document.ts'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

export interface CheckedAnswer {
  method: string
  /** The target as sent: a path or a URL. */
  target: string
  status: number
  header(name: string): string | null | undefined
  /** Parsed. Ignored for HEAD. */
  body: unknown
}

/** The part of the document that tests read. */
interface Documented {
  openapi: string
  info: { version: string }
  paths: Record<string, Record<string, DocumentedOperation>>
  components: Record<'schemas' | 'headers' | 'parameters' | 'securitySchemes', Record<string, JsonSchema>> & {
    responses: Record<string, Response>
  }
}

export interface DocumentedOperation {
  operationId: string
  summary: string
  description: string
  security: Record<string, string[]>[]
  parameters?: (Parameter | Reference)[]
  requestBody?: { content: Content }
  callbacks?: Record<string, Record<string, { post: object }>>
  responses: Record<string, Response | Reference>
}

export interface Parameter {
  name: string
  description: string
  schema: JsonSchema
}

export interface Response {
  description: string
  headers: Record<string, Reference>
  content?: Content
}

/** A response that is not JSON has another type as its key, also besides JSON. */
type Content = { 'application/json': { schema: JsonSchema; example?: unknown; examples?: Record<string, object> } }

interface Reference {
  $ref: string
}

export const DOCUMENT = OPENAPI_DOCUMENT as unknown as Documented

/** Resolves a reference; other values are returned unchanged. @throws Error for a missing target. */
export function resolve<T extends object>(value: T | Reference | JsonSchema): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T
  const found = value.$ref
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], DOCUMENT)
  if (!found) throw new Error(`${value.$ref} is not in the document`)
  return found as T
}

/** Paths without an operation. Their own tests check successful responses. */
const WITHOUT_OPERATION = /^\/(|healthz|readyz|docs(\/[^/]*)?|v1\/openapi\.json)$/

/** @throws Error with the differences between response and document. */
export function checkDocumented(answer: CheckedAnswer): void {
  const { method, status } = answer
  const path = getPath(answer.target)
  const operation = findOperation(method === 'HEAD' ? 'GET' : method, path)
  const problem = (text: string) =>
    new Error(`${method} ${path}: ${text}, in the response ${status} ${JSON.stringify(answer.body)?.slice(0, 600)}`)
  const responses = operation?.responses
  const found = responses?.[status]
  if (found) {
    checkResponse(answer, resolve<Response>(found), problem)
    return
  }
  // Any operation can answer 431.
  if (operation && status !== 431) throw problem('the status is not documented')
  const { header, body } = answer
  if (!header('x-request-id')) throw problem('no X-Request-Id')
  if (status === 405 && !header('allow')) throw problem('no Allow')
  if (status < 400 && WITHOUT_OPERATION.test(path)) return
  if (status < 400) throw problem('the path is not documented')
  if (method !== 'HEAD') checkBody('#/components/schemas/Error', body, problem)
}

function checkResponse({ method, header, body }: CheckedAnswer, response: Response, problem: Problem): void {
  for (const [name, reference] of Object.entries(response.headers)) {
    const { required, schema } = resolve<{ required?: boolean; schema: JsonSchema }>(reference)
    const text = header(name) ?? undefined
    if (text === undefined && required) throw problem(`no ${name}`)
    if (text === undefined) continue
    const value = schema.type === 'integer' ? Number(text) : text
    const validate = getValidator(reference.$ref, schema)
    if (!validate(value)) throw problem(`${name} is "${text}"`)
  }
  if (method === 'HEAD') return
  const { 'application/json': json, ...others } = (response.content ?? {}) as Partial<Content>
  if ((header('content-type') ?? '') in others) return
  if (response.content && !json) throw problem(`the body is not ${Object.keys(others)}`)
  const { schema, examples } = json ?? {}
  if (schema) checkBody(JSON.stringify(schema), body, problem, schema)
  else if (body !== null && body !== '') throw problem('there must be no body')
  const { error } = (body ?? {}) as { error?: { code: string } }
  if (error && !(error.code in (examples ?? {}))) throw problem(`the code ${error.code} is not documented`)
}

type Problem = (text: string) => Error

function checkBody(key: string, body: unknown, problem: Problem, schema: JsonSchema = { $ref: key }): void {
  const validate = getValidator(key, schema)
  if (validate(body)) return
  throw problem(`the body is not as documented: ${AJV.errorsText(validate.errors, { dataVar: 'body' })}`)
}

/** Refuses unknown fields, although clients must ignore them, because tests must cover new fields. */
function closed(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (_, value) =>
    typeof value === 'object' && value !== null && value.type === 'object' && 'properties' in value
      ? { ...value, additionalProperties: false }
      : value,
  )
}

const AJV = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, strictTypes: false })
addFormats.default(AJV)
// Stricter than the document, because generators of clients do not support a pattern beside a format.
AJV.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
AJV.addVocabulary(['components', 'example', 'discriminator', 'x-extensible-enum'])
const CLOSED_SCHEMAS = Object.fromEntries(
  Object.entries(DOCUMENT.components.schemas).map(([name, schema]) => [name, closed(schema)]),
)
AJV.addSchema({ $id: 'document:', components: { schemas: CLOSED_SCHEMAS } }, undefined, undefined, false)
const validators = new Map<string, ValidateFunction>()

/** @param key unique key of the schema. */
export function getValidator(key: string, schema: JsonSchema): ValidateFunction {
  const known = validators.get(key)
  if (known) return known
  const made = AJV.compile(
    JSON.parse(JSON.stringify(schema), (name, value) =>
      name === '$ref' && typeof value === 'string' ? `document:${value}` : value,
    ),
  )
  validators.set(key, made)
  return made
}

const OPERATIONS = Object.entries(DOCUMENT.paths).map(([path, methods]) => ({
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  methods,
}))

function findOperation(method: string, path: string): DocumentedOperation | undefined {
  return OPERATIONS.find(({ pattern }) => pattern.test(path))?.methods[method.toLowerCase()]
}

/** Without the normalization of `URL`, which removes `..`. */
function getPath(target: string): string {
  const withoutQuery = target.replace(/[?#].*$/s, '')
  const [, path] = /^[a-z][a-z0-9+.-]*:\/\/[^/]*(\/.*)?$/is.exec(withoutQuery) ?? []
  return path ?? withoutQuery
}
