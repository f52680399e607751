/** How each operation of the API is called, and what it must answer to a call, told from the specification alone. */
import fc from 'fast-check'
import type { FuzzGround } from './fuzz-ground.ts'
import { printJobBodies } from './print-job-bodies.ts'
import { judge } from './print-job-verdict.ts'
import type { RawAnswer } from './raw-client.ts'
import {
  anyQuery,
  type Credential,
  credentials,
  type Header,
  idIn,
  isPageQuery,
  otherHeaders,
  pageQueries,
  parametersOf,
  pathIds,
  type Sent,
  sentBody,
  uselessBody,
} from './requests.ts'

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

interface Get {
  path: (id: string) => string
  scope?: string
  /** Asks for no key. */
  isPublic?: boolean
  query?: 'none' | 'page' | 'any'
  /** Answers with what is no JSON. */
  isPage?: boolean
  ids?: (ground: FuzzGround) => string[]
  /** Whether the caller may see what has this id. */
  exists?: (ground: FuzzGround, id: string, mode: string) => boolean
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** By the route's own name in `router.ts`. */
const GETS: Record<string, Get> = {
  'GET /healthz': { path: () => '/healthz', isPublic: true, query: 'any' },
  'GET /readyz': { path: () => '/readyz', isPublic: true, query: 'any' },
  'GET /docs': { path: () => '/docs', isPublic: true, query: 'any', isPage: true },
  'GET /v1/openapi.json': { path: () => '/v1/openapi.json', isPublic: true },
  'GET /v1/whoami': { path: () => '/v1/whoami' },
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
  'GET /v1/printers': { path: () => '/v1/printers', scope: 'read', query: 'page' },
  'GET /v1/printers/:id': {
    path: (id) => `/v1/printers/${id}`,
    scope: 'read',
    ids: ({ printerIds }) => printerIds,
    exists: ({ printers }, id, mode) => printers.some((printer) => printer.id === id && printer.mode === mode),
  },
  'GET /v1/computers': { path: () => '/v1/computers', scope: 'read', query: 'page' },
  'GET /v1/computers/:id': {
    path: (id) => `/v1/computers/${id}`,
    scope: 'read',
    ids: ({ computerIds }) => computerIds,
    exists: ({ computerIds }, id) => computerIds.includes(id),
  },
}

export const OPERATIONS: Record<string, (ground: FuzzGround) => fc.Arbitrary<Call>> = {
  ...Object.fromEntries(Object.entries(GETS).map(([name, get]) => [name, (ground) => getCalls(ground, get)])),
  'POST /v1/printjobs': createCalls,
}

function mayNot({ caller }: Credential, scope: string | undefined): string | undefined {
  if (!caller) return 'unauthorized'
  const may = scope === undefined || caller.scopes.includes(scope) || caller.scopes.includes('admin')
  return may ? undefined : 'insufficient_scope'
}

function getCalls(ground: FuzzGround, get: Get): fc.Arbitrary<Call> {
  const parts = fc.record({
    method: fc.constantFrom('GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'HEAD'),
    id: pathIds(get.ids?.(ground) ?? ['none']),
    query: get.query === 'page' ? pageQueries : anyQuery,
    credential: credentials(ground.keys),
    body: uselessBody,
    others: otherHeaders,
  })

  function codeOf({ id, query, credential, body }: { id: string; query: string; credential: Credential; body: Sent }) {
    const refusal = get.isPublic ? undefined : mayNot(credential, get.scope)
    if (refusal === 'unauthorized') return refusal
    if (body.sizeBytes > GET_BODY_LIMIT_BYTES) return 'content_too_large'
    if (refusal) return refusal
    if (!isRightQuery(query)) return 'invalid_request'
    const resource = idIn(id)
    const mode = credential.caller?.mode ?? ''
    const exists = get.exists === undefined || (resource !== undefined && get.exists(ground, resource, mode))
    return exists ? 'ok' : 'not_found'
  }

  function isRightQuery(query: string): boolean {
    if (get.query === 'any') return true
    return get.query === 'page' ? isPageQuery(query) : parametersOf(query).size === 0
  }

  function checkShown(call: { id: string; credential: Credential }, body: Record<string, unknown>) {
    const id = idIn(call.id)
    if ('id' in body && body.id !== id) throw new Error(`asked for ${id}, got ${body.id}`)
    if (get.query === 'page' && !(Array.isArray(body.data) && body.hasMore === false && 'nextCursor' in body))
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
