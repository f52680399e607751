/** How each operation of the API is called, and what it must answer to a call, told from the specification alone. */

import { AGENT_ENROLLMENT } from '@platen/gateway/request/agent-enrollment.ts'
import { NEW_ENROLLMENT } from '@platen/gateway/request/new-enrollment.ts'
import { PAGE_QUERY } from '@platen/gateway/request/page.ts'
import { PRINTER_CHANGES } from '@platen/gateway/request/printer-changes.ts'
import {
  NEW_WEBHOOK,
  SECRET_ROTATION,
  WEBHOOK_CHANGES,
  WEBHOOK_TEST,
} from '@platen/gateway/request/webhook-endpoint.ts'
import { WEBHOOK_REPLAY_RANGE } from '@platen/gateway/request/webhook-replay.ts'
import { EVENTS_QUERY } from '@platen/gateway/routes/list-events.ts'
import { PRINT_JOBS_QUERY } from '@platen/gateway/routes/list-print-jobs.ts'
import { DELIVERIES_QUERY } from '@platen/gateway/routes/list-webhook-deliveries.ts'
import { ENROLLMENT_TOKEN } from '@platen/gateway/tests/start-test-services.ts'
import { DELIVERY_ID } from '@platen/gateway/tests/test-deliveries.ts'
import { EVENT } from '@platen/gateway/tests/test-events.ts'
import fc from 'fast-check'
import type { FuzzGround } from './fuzz-ground.ts'
import { isValid, jsonBodies } from './json-bodies.ts'
import { type Body, printJobBodies } from './print-job-bodies.ts'
import { judge, parseJson } from './print-job-verdict.ts'
import type { RawAnswer } from './raw-client.ts'
import {
  anyQuery,
  type Credential,
  credentials,
  type Header,
  idIn,
  isPageQuery,
  type ListSchema,
  otherHeaders,
  pageQueries,
  parametersOf,
  pathIds,
  type Sent,
  sentBody,
  uselessBody,
} from './requests.ts'
import type { Schema } from './schema-arbitrary.ts'

export interface Call {
  method: string
  target: string
  headers: Header[]
  pieces: Buffer[]
  /** The client goes away before all is sent: there may be no answer, and there must be no success. */
  leaves: boolean
  /** The codes that are right; `ok` stands for success. */
  codes: string[]
  /** @throws Error when a success does not show what it should. */
  checkShown?: (body: Record<string, unknown>, answer: RawAnswer) => void
  /** For people. */
  what: string
}

const GET_BODY_LIMIT_BYTES = 64 * 1024

/** Of an operation whose body is read over. */
interface Get {
  method?: 'DELETE'
  path: (id: string) => string
  scope?: string
  /** Asks for no key. */
  isPublic?: boolean
  /** Of a list; else none is taken, or any. */
  query?: ListSchema | 'any'
  /** Answers with what is no JSON. */
  isPage?: boolean
  ids?: (ground: FuzzGround) => string[]
  /** Whether the caller may see what has this id. */
  exists?: (ground: FuzzGround, id: string, mode: string) => boolean
  /** Of the resource that it answers with, where that is not the one of `id`. */
  shows?: () => string
}

/** The scripted service deletes none, and forgets what is made. */
const isEndpoint = ({ endpoints }: FuzzGround, id: string | undefined, mode: string) =>
  endpoints.some((endpoint) => endpoint.id === id && endpoint.mode === mode)
const OF_ENDPOINT = {
  scope: 'admin',
  ids: ({ endpoints }: FuzzGround) => endpoints.map(({ id }) => id),
  exists: isEndpoint,
} satisfies Partial<Get>

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** By the route's own name in `router.ts`. */
const GETS: Record<string, Get> = {
  'GET /healthz': { path: () => '/healthz', isPublic: true, query: 'any' },
  'GET /readyz': { path: () => '/readyz', isPublic: true, query: 'any' },
  'GET /docs': { path: () => '/docs', isPublic: true, query: 'any', isPage: true },
  'GET /v1/openapi.json': { path: () => '/v1/openapi.json', isPublic: true },
  'GET /v1/whoami': { path: () => '/v1/whoami' },
  'GET /v1/usage': { path: () => '/v1/usage', scope: 'read' },
  'GET /v1/printjobs/:id': {
    path: (id) => `/v1/printjobs/${id}`,
    scope: 'read',
    ids: ({ jobIds }) => jobIds,
    exists: ({ jobIds }, id) => jobIds.includes(id),
  },
  'GET /v1/printjobs/:id/events': {
    path: (id) => `/v1/printjobs/${id}/events`,
    scope: 'read',
    ids: ({ jobIds }) => jobIds,
    // The scripted service has events of any job.
    exists: (_, id) => UUID.test(id),
  },
  'GET /v1/printers': { path: () => '/v1/printers', scope: 'read', query: PAGE_QUERY },
  'GET /v1/printjobs': { path: () => '/v1/printjobs', scope: 'read', query: PRINT_JOBS_QUERY },
  'GET /v1/printers/:id/printjobs': {
    path: (id) => `/v1/printers/${id}/printjobs`,
    scope: 'read',
    query: PAGE_QUERY,
    ids: ({ printerIds }) => printerIds,
    exists: ({ printers }, id, mode) => printers.some((printer) => printer.id === id && printer.mode === mode),
  },
  'GET /v1/printers/:id': {
    path: (id) => `/v1/printers/${id}`,
    scope: 'read',
    ids: ({ printerIds }) => printerIds,
    exists: ({ printers }, id, mode) => printers.some((printer) => printer.id === id && printer.mode === mode),
  },
  'GET /v1/computers': { path: () => '/v1/computers', scope: 'read', query: PAGE_QUERY },
  'GET /v1/computers/:id': {
    path: (id) => `/v1/computers/${id}`,
    scope: 'read',
    ids: ({ computerIds }) => computerIds,
    exists: ({ computerIds }, id) => computerIds.includes(id),
  },
  'GET /v1/computers/:id/printers': {
    path: (id) => `/v1/computers/${id}/printers`,
    scope: 'read',
    query: PAGE_QUERY,
    ids: ({ computerIds }) => computerIds,
    exists: ({ computerIds }, id) => computerIds.includes(id),
  },
  'GET /v1/events': { path: () => '/v1/events', scope: 'read', query: EVENTS_QUERY },
  'GET /v1/events/:id': {
    path: (id) => `/v1/events/${id}`,
    scope: 'read',
    ids: () => [EVENT.id],
    exists: (_, id) => id === EVENT.id,
  },
  'GET /v1/event-types': { path: () => '/v1/event-types', scope: 'read' },
  'DELETE /v1/computers/:id': {
    method: 'DELETE',
    path: (id) => `/v1/computers/${id}`,
    scope: 'admin',
    ids: ({ computerIds }) => computerIds,
    // The scripted service deletes any and forgets none.
    exists: ({ computerIds }, id) => computerIds.includes(id),
  },
  'GET /v1/webhooks': { path: () => '/v1/webhooks', scope: 'admin', query: PAGE_QUERY },
  'GET /v1/webhooks/:id': { path: (id) => `/v1/webhooks/${id}`, ...OF_ENDPOINT },
  'GET /v1/webhooks/:id/deliveries': {
    path: (id) => `/v1/webhooks/${id}/deliveries`,
    query: DELIVERIES_QUERY,
    ...OF_ENDPOINT,
  },
  'GET /v1/webhooks/:id/deliveries/:deliveryId': {
    path: (id) => `/v1/webhooks/${id}/deliveries/${DELIVERY_ID}`,
    shows: () => DELIVERY_ID,
    ...OF_ENDPOINT,
  },
  'DELETE /v1/webhooks/:id': { method: 'DELETE', path: (id) => `/v1/webhooks/${id}`, ...OF_ENDPOINT },
}

/** Of an operation that takes a small JSON body. */
interface Write {
  method: string
  /** None at all is as good as an empty object. */
  bodyMayBeMissing?: true
  path: (id: string) => string
  schema: Schema
  ids?: (ground: FuzzGround) => string[]
  /** What it takes in the place of a key. */
  token?: string
  /** What a valid body is answered with. */
  codeOf: (ground: FuzzGround, id: string | undefined, mode: string) => string
}

const WRITES: Record<string, Write> = {
  'PATCH /v1/printers/:id': {
    method: 'PATCH',
    path: (id) => `/v1/printers/${id}`,
    schema: PRINTER_CHANGES,
    ids: ({ printerIds }) => printerIds,
    codeOf: ({ printers }, id, mode) =>
      printers.some((printer) => printer.id === id && printer.mode === mode) ? 'ok' : 'not_found',
  },
  'POST /v1/enrollments': {
    method: 'POST',
    path: () => '/v1/enrollments',
    schema: NEW_ENROLLMENT,
    codeOf: (_, __, mode) => (mode === 'live' ? 'ok' : 'mode_mismatch'),
  },
  'POST /v1/agents/enroll': {
    method: 'POST',
    path: () => '/v1/agents/enroll',
    schema: AGENT_ENROLLMENT,
    token: ENROLLMENT_TOKEN,
    codeOf: () => 'ok',
  },
  // The URL is judged by the service, which is scripted.
  'POST /v1/webhooks': { method: 'POST', path: () => '/v1/webhooks', schema: NEW_WEBHOOK, codeOf: () => 'ok' },
  'PATCH /v1/webhooks/:id': {
    method: 'PATCH',
    path: (id) => `/v1/webhooks/${id}`,
    schema: WEBHOOK_CHANGES,
    ids: OF_ENDPOINT.ids,
    codeOf: existingEndpoint,
  },
  'POST /v1/webhooks/:id/rotate-secret': {
    method: 'POST',
    path: (id) => `/v1/webhooks/${id}/rotate-secret`,
    schema: SECRET_ROTATION,
    bodyMayBeMissing: true,
    ids: OF_ENDPOINT.ids,
    codeOf: existingEndpoint,
  },
  'POST /v1/webhooks/:id/replay': {
    method: 'POST',
    path: (id) => `/v1/webhooks/${id}/replay`,
    schema: WEBHOOK_REPLAY_RANGE,
    ids: OF_ENDPOINT.ids,
    codeOf: existingEndpoint,
  },
  'POST /v1/webhooks/:id/test': {
    method: 'POST',
    path: (id) => `/v1/webhooks/${id}/test`,
    schema: WEBHOOK_TEST,
    bodyMayBeMissing: true,
    ids: OF_ENDPOINT.ids,
    codeOf: existingEndpoint,
  },
}

function existingEndpoint(ground: FuzzGround, id: string | undefined, mode: string): string {
  return isEndpoint(ground, id, mode) ? 'ok' : 'not_found'
}

/** Of an operation that takes no body. */
interface Order {
  path: (id: string) => string
  scope: string
  ids: (ground: FuzzGround) => string[]
  exists: (ground: FuzzGround, id: string, mode: string) => boolean
  isRight: (body: Record<string, unknown>, id: string) => boolean
}

const ORDERS: Record<string, Order> = {
  'POST /v1/printjobs/:id/cancel': {
    path: (id) => `/v1/printjobs/${id}/cancel`,
    scope: 'print',
    ids: ({ jobIds }) => jobIds,
    exists: ({ jobIds }, id) => jobIds.includes(id),
    isRight: (body, id) => body.id === id && body.state === 'cancelled',
  },
  'POST /v1/webhooks/:id/deliveries/:deliveryId/replay': {
    ...OF_ENDPOINT,
    path: (id) => `/v1/webhooks/${id}/deliveries/${DELIVERY_ID}/replay`,
    isRight: (body) => body.id === DELIVERY_ID && body.status === 'pending',
  },
}

export const OPERATIONS: Record<string, (ground: FuzzGround) => fc.Arbitrary<Call>> = {
  ...Object.fromEntries(Object.entries(GETS).map(([name, get]) => [name, (ground) => getCalls(ground, get)])),
  ...Object.fromEntries(Object.entries(WRITES).map(([name, write]) => [name, (ground) => writeCalls(ground, write)])),
  ...Object.fromEntries(Object.entries(ORDERS).map(([name, order]) => [name, (ground) => orderCalls(ground, order)])),
  'POST /v1/printjobs': createCalls,
}

function mayNot({ caller }: Credential, scope: string | undefined): string | undefined {
  if (!caller) return 'unauthorized'
  const may = scope === undefined || caller.scopes.includes(scope) || caller.scopes.includes('admin')
  return may ? undefined : 'insufficient_scope'
}

function getCalls(ground: FuzzGround, get: Get): fc.Arbitrary<Call> {
  const schema = get.query === 'any' ? undefined : get.query
  const parts = pathIds(get.ids?.(ground) ?? ['none']).chain((id) =>
    fc.record({
      method: get.method ? fc.constant(get.method) : fc.constantFrom('GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'HEAD'),
      id: fc.constant(id),
      query: schema ? pageQueries(schema, get.path(id), ground.cursors) : anyQuery,
      credential: credentials(ground.keys),
      body: uselessBody,
      others: otherHeaders,
    }),
  )

  function codeOf({ id, query, credential, body }: { id: string; query: string; credential: Credential; body: Sent }) {
    const refusal = get.isPublic ? undefined : mayNot(credential, get.scope)
    if (refusal === 'unauthorized') return refusal
    if (body.sizeBytes > GET_BODY_LIMIT_BYTES) return 'content_too_large'
    if (refusal) return refusal
    const mode = credential.caller?.mode ?? ''
    if (!isRightQuery(query, mode, id)) return 'invalid_request'
    const resource = idIn(id)
    const exists = get.exists === undefined || (resource !== undefined && get.exists(ground, resource, mode))
    return exists ? 'ok' : 'not_found'
  }

  function isRightQuery(query: string, mode: string, id: string): boolean {
    if (get.query === 'any') return true
    return schema ? isPageQuery(query, schema, ground.cursors, mode, get.path(id)) : parametersOf(query).size === 0
  }

  function checkShown(call: { id: string; credential: Credential }, body: Record<string, unknown>) {
    if (get.method === 'DELETE') throw new Error('a DELETE with a body')
    const id = get.shows?.() ?? idIn(call.id)
    if ('id' in body && body.id !== id) throw new Error(`asked for ${id}, got ${body.id}`)
    if (schema && !(Array.isArray(body.data) && body.hasMore === false && 'nextCursor' in body))
      throw new Error(`this is no page: ${JSON.stringify(body)}`)
    if ('apiKey' in body && body.mode !== call.credential.caller?.mode) throw new Error(`mode is ${body.mode}`)
  }

  return parts.map((call) => ({
    method: call.method,
    target: get.path(call.id) + call.query,
    headers: [...call.credential.headers, ...call.others, ...call.body.headers],
    pieces: call.body.pieces,
    leaves: false,
    codes: [codeOf(call)],
    checkShown: get.isPage ? undefined : (body) => checkShown(call, body),
    what: `${call.body.sizeBytes} bytes of body`,
  }))
}

const EMPTY_BODY_LIMIT_BYTES = 1024

/** Each with whether it is as good as none. */
const emptyBodies = fc
  .constantFrom<[string, boolean]>(
    ...Array<[string, boolean]>(6).fill(['', true]),
    ['{}', true],
    [' {\n} ', true],
    [' '.repeat(EMPTY_BODY_LIMIT_BYTES), true],
    [' '.repeat(EMPTY_BODY_LIMIT_BYTES + 1), true],
    ['{"reason":1}', false],
    ['[]', false],
    ['{}{}', false],
    ['\0', false],
    ['x'.repeat(EMPTY_BODY_LIMIT_BYTES), false],
    ['x'.repeat(200_000), false],
  )
  .chain(([text, isRight]) => sentBody(Buffer.from(text)).map((sent) => ({ sent, isRight })))

function orderCalls(ground: FuzzGround, { path, scope, ids, exists, isRight }: Order): fc.Arbitrary<Call> {
  const parts = fc.record({
    id: pathIds(ids(ground)),
    query: anyQuery,
    credential: credentials(ground.keys),
    body: emptyBodies,
    others: otherHeaders,
  })
  return parts.map(({ id, query, credential, body: { sent, isRight: isNone }, others }) => {
    const resource = idIn(id) ?? ''
    const codeOf = () => {
      const refusal = mayNot(credential, scope)
      if (refusal) return refusal
      if (parametersOf(query).size > 0) return 'invalid_request'
      if (sent.sizeBytes > EMPTY_BODY_LIMIT_BYTES) return 'content_too_large'
      if (!isNone) return 'invalid_request'
      return exists(ground, resource, credential.caller?.mode ?? '') ? 'ok' : 'not_found'
    }
    return {
      method: 'POST',
      target: `${path(id)}${query}`,
      headers: [...credential.headers, ...others, ...sent.headers],
      pieces: sent.pieces,
      leaves: false,
      codes: [codeOf()],
      checkShown(body) {
        if (!isRight(body, resource)) throw new Error(`got ${JSON.stringify(body)}`)
      },
      what: `${sent.sizeBytes} bytes of body`,
    }
  })
}

const jsonTypes = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.constantFrom<[string | undefined, boolean]>(
      ['application/json', true],
      ['application/json', true],
      ['Application/JSON; Charset="UTF-8"', true],
      ['application/json;charset=utf-8', true],
      ['application/json ; profile=x', true],
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<[string | undefined, boolean]>(
      [undefined, false],
      ['', false],
      ['text/plain', false],
      ['application/jsonp', false],
      ['application/vnd.api+json', false],
      ['application/json; charset=latin1', false],
      ['application/json; charset=utf-8; charset=utf-16', false],
      ['multipart/form-data; boundary=x', false],
      ['application/x-www-form-urlencoded', false],
      ['text/plain, application/json', false],
      [`application/json${'x'.repeat(3_000)}`, false],
    ),
  },
)
const encodings = fc.constantFrom(
  ...Array<undefined>(20).fill(undefined),
  'identity',
  'Identity',
  'gzip',
  'br, gzip',
  'x',
)

function writeCalls(ground: FuzzGround, write: Write): fc.Arbitrary<Call> {
  // Either mode has a key that may do it.
  const [everything, ...others] = write.token ? [{ key: write.token, mode: '', scopes: ['admin'] }] : ground.keys
  const admins = others.filter(({ scopes }) => scopes.includes('admin'))
  const parts = fc.record({
    id: pathIds(write.ids?.(ground) ?? ['none']),
    query: fc.oneof({ weight: 9, arbitrary: fc.constant('') }, { weight: 1, arbitrary: anyQuery }),
    credential: fc.oneof(
      ...[everything, ...admins].map((key) =>
        key ? credentials(write.token ? [key] : [key, ...ground.keys]) : fc.constant(NO_CREDENTIAL),
      ),
    ),
    type: jsonTypes,
    encoding: encodings,
    body: (write.bodyMayBeMissing
      ? fc.oneof({ weight: 9, arbitrary: jsonBodies(write.schema) }, { weight: 1, arbitrary: fc.constant(NO_BODY) })
      : jsonBodies(write.schema)
    ).chain((body) => sentBody(body.bytes).map((sent) => ({ ...body, sent }))),
    others: otherHeaders,
  })

  /** One that is announced and then has nothing in it is no JSON. */
  function isMissing({ sizeBytes, headers }: Sent): boolean {
    const isAnnounced = headers.some(([name]) => name === 'Transfer-Encoding')
    return write.bodyMayBeMissing === true && sizeBytes === 0 && !isAnnounced
  }

  function codeOf(call: typeof parts extends fc.Arbitrary<infer Parts> ? Parts : never): string {
    const refusal = mayNot(call.credential, 'admin')
    if (refusal) return refusal
    if (parametersOf(call.query).size > 0) return 'invalid_request'
    if (!isMissing(call.body.sent)) {
      const encodingIsRight = call.encoding === undefined || call.encoding.toLowerCase() === 'identity'
      if (!call.type[1] || !encodingIsRight) return 'unsupported_media_type'
      if (!isValid(call.body, write.schema)) return 'invalid_request'
    }
    return write.codeOf(ground, idIn(call.id), call.credential.caller?.mode ?? '')
  }

  return parts.map((call) => ({
    method: write.method,
    target: write.path(call.id) + call.query,
    headers: [
      ...call.credential.headers,
      ...call.others,
      ...(call.type[0] === undefined ? [] : [['Content-Type', call.type[0]] satisfies Header]),
      ...(call.encoding === undefined ? [] : [['Content-Encoding', call.encoding] satisfies Header]),
      ...call.body.sent.headers,
    ],
    pieces: call.body.sent.pieces,
    leaves: false,
    codes: [codeOf(call)],
    checkShown(shown) {
      const sent = (parseJson(call.body.bytes) ?? {}) as Record<string, unknown>
      for (const name of SHOWN_AS_SENT)
        if (name in sent && sorted(shown[name]) !== sorted(sent[name]))
          throw new Error(`\`${name}\` was sent as ${sorted(sent[name])} and shown as ${sorted(shown[name])}`)
    },
    what: `${call.body.what}: ${JSON.stringify(call.body.bytes.toString('latin1').slice(0, 1_500))}`,
  }))
}

const SHOWN_AS_SENT = [
  ...['displayName', 'remarks', 'enabled', 'defaultOptions', 'customPapers', 'maxUses'],
  ...['url', 'events', 'description'],
]

const NO_BODY: Body = { bytes: Buffer.alloc(0), repeats: false, what: 'none' }

const NO_CREDENTIAL: Credential = { headers: [] }

/** The same text for the same value, whatever the order of members at any depth. */
function sorted(value: unknown): string {
  const inOrder = (_: string, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member
  return JSON.stringify(value, inOrder)
}

function createCalls(ground: FuzzGround): fc.Arbitrary<Call> {
  const body = printJobBodies(ground.printerIds).chain((job) => sentBody(job.bytes).map((sent) => ({ job, sent })))
  const parts = fc.record({
    query: fc.oneof({ weight: 6, arbitrary: fc.constant('') }, { weight: 1, arbitrary: anyQuery }),
    credential: credentials(ground.keys),
    type: jsonTypes,
    encoding: encodings,
    body,
    others: otherHeaders,
    leaves: fc.nat({ max: 24 }).map((one) => one === 24),
  })
  return parts.map(
    ({ query, credential, type: [type, typeIsRight], encoding, body: { job, sent }, others, leaves }) => {
      const early = () => {
        const refusal = mayNot(credential, 'print')
        if (refusal) return refusal
        if (parametersOf(query).size > 0) return 'invalid_request'
        const encodingIsRight = encoding === undefined || encoding.toLowerCase() === 'identity'
        return typeIsRight && encodingIsRight ? undefined : 'unsupported_media_type'
      }
      const refusal = early()
      const verdict = refusal ? { codes: [refusal] } : judge(job, credential.caller?.mode ?? '', ground.printers)
      const last = sent.pieces.at(-1)
      const goesAway = leaves && last !== undefined && last.length > 0
      return {
        method: 'POST',
        target: `/v1/printjobs${query}`,
        headers: [
          ...credential.headers,
          ...others,
          ...(type === undefined ? [] : [['Content-Type', type] satisfies Header]),
          ...(encoding === undefined ? [] : [['Content-Encoding', encoding] satisfies Header]),
          ...sent.headers,
        ],
        pieces: goesAway ? [...sent.pieces.slice(0, -1), last.subarray(0, -1)] : sent.pieces,
        leaves: goesAway,
        codes: verdict.codes,
        checkShown(shown) {
          const expected = 'shown' in verdict ? JSON.parse(JSON.stringify(verdict.shown)) : {}
          for (const [name, value] of Object.entries(expected))
            if (canonical(shown[name]) !== canonical(value))
              throw new Error(`\`${name}\` was sent as ${canonical(value)} and shown as ${canonical(shown[name])}`)
        },
        what: `${job.what}: ${JSON.stringify(job.bytes.toString('latin1').slice(0, 1_500))}`,
      }
    },
  )
}

/** The same text for the same value, whatever the order of an object's members. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value)
  return JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
