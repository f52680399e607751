/**
 * The methods of the client libraries, independent of their language: one for each operation of the OpenAPI document.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  DOCUMENT,
  type OperationObject,
  type ParameterObject,
  resolve,
  SCHEMAS,
  type Schema,
  toSchemaName,
} from './document.ts'
import { capitalize, toCamelCase } from './text.ts'

export interface Operation {
  operationId: string
  /** `printJobs`, or undefined for a method of the client itself. */
  resource: string | undefined
  /** `cancel`. */
  method: string
  verb: string
  path: string
  /** The ids in the path. */
  ids: PathId[]
  query: ParameterObject[]
  body: Body | undefined
  answer: Answer
  /** `chosen` by the caller, who can repeat the call, or `random` for each call. */
  idempotencyKey: 'chosen' | 'random' | undefined
  /** Whether an enrolment token takes the place of the API key. */
  takesToken: boolean
  description: string
  errors: { code: string; meaning: string }[]
  /** `docs/reference/print-jobs.md#endpoint.GET.printjobs`. */
  reference: string
}

export interface PathId {
  name: string
  /** Whether the number of the resource is accepted as well. */
  takesNumber: boolean
}

export interface Body {
  /** The name of the schema. */
  name: string
  schema: Schema
  isOptional: boolean
  /** The schema of the same body as a form with a file. */
  form: Schema | undefined
}

/** `name` is the schema of the answer; of a page and a list, that of their items. */
export type Answer = { kind: 'page' | 'list' | 'object'; name: string } | { kind: 'bytes' | 'nothing' }

/**
 * Resources whose classes are extended by hand with methods that are no operations: `wait`, `find`, `follow`, `verify`.
 */
export const EXTENDED = ['printJobs', 'printers', 'events', 'webhooks']

/** Operations whose path does not name their method. */
const NAMES: Record<string, { resource: string; method: string }> = {
  listEventTypes: { resource: 'events', method: 'types' },
  enrollAgent: { resource: 'enrollments', method: 'enrollAgent' },
  createPrintJobBatch: { resource: 'printJobs', method: 'createBatch' },
  cancelPrintJobBatch: { resource: 'printJobs', method: 'cancelBatch' },
}
/** Segments of paths that are two words. */
const WORDS: Record<string, string> = { printjobs: 'printJobs' }
const VERBS: Record<string, string> = { get: 'get', patch: 'update', delete: 'delete' }

/** Errors that any request can get, or only one with a session. Methods do not name them. */
const COMMON_CODES = [
  'invalid_request',
  'unauthorized',
  'insufficient_scope',
  'forbidden',
  'recent_sign_in_required',
  'organization_suspended',
  'request_timeout',
  'content_too_large',
  'unsupported_media_type',
  'rate_limited',
  'internal_error',
  'service_unavailable',
]

const ROOT = join(import.meta.dirname, '../..')
/** The page of the reference of each anchor of an endpoint. */
const PAGES = new Map(
  globSync('docs/reference/*.md', { cwd: ROOT }).flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/<a id="(endpoint\.[^"]+)">/g)].map(
      ([, anchor = '']) => [anchor, page] as const,
    ),
  ),
)

export const OPERATIONS: Operation[] = Object.entries(DOCUMENT.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([verb, operation]) => toOperation(verb, path, operation)),
)

/** The operations of each resource, and of the client itself. */
export const RESOURCES = Map.groupBy(OPERATIONS, ({ resource }) => resource)

for (const [resource, operations] of RESOURCES)
  for (const [method, [one, other]] of Map.groupBy(operations, ({ method }) => method))
    if (other)
      throw new Error(
        `${one?.operationId} and ${other.operationId} are both ${resource}.${method}. Add a line to NAMES in clients/generator/operations.ts.`,
      )

function toOperation(verb: string, path: string, operation: OperationObject): Operation {
  const { operationId, security, description } = operation
  const parameters = operation.parameters ?? []
  const query = parameters.map(resolve).filter((one) => one.in === 'query')
  const answer = toAnswer(operation, query)
  return {
    operationId,
    ...(NAMES[operationId] ?? nameMethod(verb, path, answer)),
    verb: verb.toUpperCase(),
    path,
    ids: parameters
      .map(resolve)
      .filter((one) => one.in === 'path')
      .map(({ name, schema }) => ({ name, takesNumber: schema.format !== 'uuid' })),
    query,
    body: toBody(operation),
    answer,
    idempotencyKey: toIdempotencyKey(parameters),
    takesToken: security.some((scheme) => 'enrollmentToken' in scheme),
    // A session is no credential of these libraries.
    description: description.replace(/ With a session it requires [^.]*\./, ''),
    errors: Object.values(operation.responses).flatMap((response) => toErrors(resolve(response).description)),
    reference: toReference(verb, path),
  }
}

/** `webhooks.replayDelivery` of `POST /v1/webhooks/{id}/deliveries/{deliveryId}/replay`. */
export function nameMethod(verb: string, path: string, answer: Answer): Pick<Operation, 'resource' | 'method'> {
  const [first = '', ...rest] = path.split('/').slice(2).map(toWord)
  if (rest.length === 0 && verb === 'get' && answer.kind === 'object') return { resource: undefined, method: first }
  const inner = rest[0] === '{id}' ? rest.slice(1) : rest
  const item = /\{(\w+)Id\}/.exec(inner.join())?.[1] ?? ''
  const last = inner.at(-1)
  const verbName = VERBS[verb] ?? ''
  if (last?.startsWith('{')) return { resource: first, method: verb === 'get' ? item : verbName + capitalize(item) }
  if (last !== undefined) return { resource: first, method: last + capitalize(item) }
  if (rest.length > 0) return { resource: first, method: verbName }
  return { resource: first, method: verb === 'get' ? 'list' : 'create' }
}

function toWord(segment: string): string {
  return WORDS[segment] ?? toCamelCase(segment)
}

function toAnswer({ operationId, responses }: OperationObject, query: ParameterObject[]): Answer {
  const content = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content
  if (!content) return { kind: 'nothing' }
  const json = content['application/json']
  if (!json) return { kind: 'bytes' }
  const name = toSchemaName(json.schema, `The answer of ${operationId}`)
  const items = SCHEMAS[name]?.properties?.data?.items
  if (!/(Page|List)$/.test(name) || !items) return { kind: 'object', name }
  const kind = query.some((one) => one.name === 'after') ? 'page' : 'list'
  return { kind, name: toSchemaName(items, `An item of ${name}`) }
}

function toBody({ operationId, requestBody }: OperationObject): Body | undefined {
  if (!requestBody?.content) return undefined
  const { 'application/json': json, 'multipart/form-data': form } = requestBody.content
  const name = toSchemaName(json?.schema, `The body of ${operationId}`)
  const schema = SCHEMAS[name] as Schema
  return { name, schema, isOptional: !requestBody.required, form: form?.schema && resolve(form.schema) }
}

/** The shared parameter is that of creations, which a caller can repeat after a restart. */
function toIdempotencyKey(parameters: ParameterObject[]): Operation['idempotencyKey'] {
  const parameter = parameters.find((one) => resolve(one).name === 'Idempotency-Key')
  if (!parameter) return undefined
  return parameter.$ref ? 'chosen' : 'random'
}

/** @param description `` `not_found`: Its meaning. `` in a paragraph for each code. */
function toErrors(description: string): Operation['errors'] {
  return [...description.matchAll(/^`(\w+)`: (.+)$/gm)]
    .map(([, code = '', meaning = '']) => ({ code, meaning }))
    .filter(({ code }) => !COMMON_CODES.includes(code))
}

function toReference(verb: string, path: string): string {
  const anchor = `endpoint.${verb.toUpperCase()}${path.slice('/v1'.length).replaceAll(/[{}]/g, '').replaceAll('/', '.')}`
  const page = PAGES.get(anchor)
  if (!page) throw new Error(`No page in docs/reference has the anchor ${anchor}.`)
  return `${page}#${anchor}`
}

/** The paragraphs of the documentation of a method. */
export function describe({ description, idempotencyKey, reference }: Operation): string[] {
  const repeated = 'The library sends an `Idempotency-Key`, the same in all attempts of a call.'
  const paragraphs = [...description.split('\n\n'), ...(idempotencyKey ? [repeated] : [])]
  return [...paragraphs, `Reference: ${reference}`]
}

/** `NotFound` of `not_found`. */
export const toErrorClass = (code: string) => toCamelCase(`_${code}`)
