/** The parts of a request that are the same for every operation, each with what is wrong with it. */

import type { PAGE_QUERY } from '@platen/gateway/request/page.ts'
import { ORGANIZATION_ID } from '@platen/gateway/tests/start-test-services.ts'
import { type Cursors, packPlace } from '@platen/runtime/paging.ts'
import fc from 'fast-check'
import type { z } from 'zod'
import { membersOf } from './schema-arbitrary.ts'

export type Header = [name: string, value: string]

export interface Credential {
  headers: Header[]
  /** undefined: it is no valid one. */
  caller?: { mode: string; scopes: string[] }
}

export interface Sent {
  headers: Header[]
  pieces: Buffer[]
  sizeBytes: number
}

/** Bytes that may stand in a header's value; Node reads them as latin1. */
const headerText = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((unit) => unit !== 0x7f)
    .map((unit) => String.fromCharCode(unit)),
  maxLength: 60,
})
const CASES = [(text: string) => text, (text: string) => text.toUpperCase(), (text: string) => text.toLowerCase()]

const basic = (text: string) => `Basic ${Buffer.from(text, 'latin1').toString('base64')}`

/** @param keys by what they may. */
export function credentials(keys: { key: string; mode: string; scopes: string[] }[]): fc.Arbitrary<Credential> {
  const [all] = keys
  if (!all) throw new Error('there are no keys')
  const valid = fc
    .tuple(
      fc.nat({ max: 11 }),
      fc.constantFrom(...keys),
      fc.constantFrom(...CASES),
      fc.constantFrom('Bearer', 'bearer', 'BEARER', 'Basic', 'basic'),
      fc.constantFrom(' ', '   '),
    )
    .map(([other, any, nameCase, scheme, space]): Credential => {
      const { key, ...caller } = other < 8 ? all : any
      const value = scheme.toLowerCase() === 'bearer' ? key : basic(`${key}:`).slice(6)
      return { headers: [[nameCase('Authorization'), `${scheme}${space}${value}`]], caller }
    })
  const { key } = all
  const changed = fc
    .tuple(fc.nat({ max: key.length - 1 }), fc.constantFrom('~', '0', 'Z', ' ', '\u00e9'))
    .map(([at, letter]) => key.slice(0, at) + letter + key.slice(at + 1))
  const wrong = fc.oneof(
    fc.constantFrom<Header[]>(
      [],
      [['Authorization', '']],
      [['Authorization', 'Bearer']],
      [['Authorization', key]],
      [['Authorization', `Bearer${key}`]],
      [['Authorization', `Bearer ${key} ${key}`]],
      [['Authorization', `Bearer ${key},`]],
      [['Authorization', `Bearer\t${key}`]],
      [['Authorization', `Token ${key}`]],
      [['Authorization', basic(`${key}:secret`)]],
      [['Authorization', basic(key)]],
      [['Authorization', basic(`:${key}`)]],
      [['Authorization', `Basic ${key}`]],
      [['Authorization', `${basic(`${key}:`)}==`]],
      [
        ['Authorization', `Bearer ${key}`],
        ['Authorization', `Bearer ${key}`],
      ],
      [
        ['Authorization', `Bearer ${key}`],
        ['authorization', 'Bearer x'],
      ],
      [['Authorization', `Bearer ${'a'.repeat(8_000)}`]],
      [['X-Api-Key', key]],
      [['Cookie', `key=${key}`]],
    ),
    changed.filter((one) => one !== key).map((one): Header[] => [['Authorization', `Bearer ${one}`]]),
    headerText.map((text): Header[] => [['Authorization', text]]),
    headerText.map((text): Header[] => [['Authorization', basic(text)]]),
  )
  return fc.oneof(
    { weight: 9, arbitrary: valid },
    { weight: 1, arbitrary: wrong.map((headers): Credential => ({ headers })) },
  )
}

/** Headers that must change nothing but `X-Request-Id`. */
export const otherHeaders: fc.Arbitrary<Header[]> = fc
  .tuple(
    fc.option(
      fc.oneof(
        fc.stringMatching(/^[A-Za-z0-9._-]{1,128}$/),
        fc.constantFrom('a'.repeat(128), 'a'.repeat(129), '', '../../etc', '%{jndi:x}', '{"a":1}', 'a, b'),
        headerText,
      ),
    ),
    fc.array(
      fc.oneof(
        fc.constantFrom<Header>(
          ['Accept', 'text/html'],
          ['Accept-Encoding', 'gzip, br'],
          ['Accept-Language', '*'],
          ['Origin', 'https://example.com'],
          ['Cookie', 'a=b; c'],
          ['Connection', 'keep-alive'],
          ['Connection', 'close'],
          ['Connection', 'Upgrade'],
          ['Upgrade', 'h2c'],
          ['Upgrade', 'websocket'],
          ['Range', 'bytes=0-1'],
          ['If-None-Match', '*'],
          ['If-Modified-Since', 'never'],
          ['X-Forwarded-For', '127.0.0.1'],
          ['X-Forwarded-Proto', 'gopher'],
          ['X-HTTP-Method-Override', 'DELETE'],
          ['traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
          ['traceparent', 'nonsense'],
          ['baggage', 'a=b,='],
          ['Expect', 'nothing'],
          ['TE', 'trailers'],
          ['Keep-Alive', 'timeout=1'],
          ['Date', '0'],
          ['__proto__', 'x'],
          ['constructor', 'x'],
        ),
        fc.tuple(fc.stringMatching(/^X-[A-Za-z0-9!#$%&'*+.^_`|~-]{1,20}$/), headerText),
      ),
      { maxLength: 6 },
    ),
  )
  .map(([id, headers]) => (id === null ? headers : [...headers, ['X-Request-Id', id] satisfies Header]))

/** How the bytes of a body are sent. */
export function sentBody(bytes: Buffer): fc.Arbitrary<Sent> {
  const cuts = fc.array(fc.nat({ max: bytes.length }), { maxLength: 4 }).map((places) => cutAt(bytes, places))
  return fc
    .tuple(cuts, fc.constantFrom('length', 'length', 'chunked'), fc.nat({ max: 9 }))
    .map(([parts, framing, expect]) => {
      const headers: Header[] = expect === 0 ? [['Expect', '100-continue']] : []
      const sizeBytes = bytes.length
      if (framing === 'length')
        return { headers: [...headers, ['Content-Length', `${sizeBytes}`]], pieces: parts, sizeBytes }
      const chunks = parts
        .filter((part) => part.length > 0)
        .map((part, at) => chunk(part, at % 3 === 2 ? ';name="value"' : ''))
      const end = Buffer.from(expect === 1 ? '0\r\nX-Trailer: x\r\n\r\n' : '0\r\n\r\n')
      return { headers: [...headers, ['Transfer-Encoding', 'chunked']], pieces: [...chunks, end], sizeBytes }
    })
}

/** For operations that have no use for a body. */
export const uselessBody: fc.Arbitrary<Sent> = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Sent>({ headers: [], pieces: [], sizeBytes: 0 }) },
  { weight: 4, arbitrary: fc.uint8Array({ maxLength: 200 }).chain((bytes) => sentBody(Buffer.from(bytes))) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(65_535, 65_536, 65_537, 200_000).chain((size) => sentBody(Buffer.alloc(size))),
  },
)

function chunk(part: Buffer, extension: string): Buffer {
  return Buffer.concat([Buffer.from(`${part.length.toString(16)}${extension}\r\n`), part, Buffer.from('\r\n')])
}

function cutAt(bytes: Buffer, places: number[]): Buffer[] {
  const edges = [0, ...places.toSorted((a, b) => a - b), bytes.length]
  return edges.slice(1).map((end, at) => bytes.subarray(edges[at], end))
}

const queryText = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    'limit',
    'after',
    'dir',
    'state',
    '%',
    '%zz',
    '%00',
    '%ff',
    '+',
    '[]',
    'a[b]',
    '%F0%9F%96%A8',
  ),
  fc.stringMatching(/^[A-Za-z0-9._~!$'()*,;:@/?%-]{0,20}$/),
)
const anyParameter = fc
  .tuple(queryText, fc.option(queryText))
  .map(([name, value]) => (value === null ? name : `${name}=${value}`))

/** Of an operation that takes none; some are empty all the same. */
export const anyQuery: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom('?', '?&', '?&&&') },
  { weight: 2, arbitrary: fc.array(anyParameter, { minLength: 1, maxLength: 4 }).map((all) => `?${all.join('&')}`) },
)

/** What a list takes: `PAGE_QUERY`, extended by its filters. */
export type ListSchema = z.ZodType<z.infer<typeof PAGE_QUERY>>

function valuesOf(name: string, cursors: string[]): fc.Arbitrary<string> {
  switch (name) {
    case 'limit':
      return fc.oneof(
        fc.integer({ min: 1, max: 100 }).map(String),
        fc.constantFrom('0', '101', '-1', '1.5', '1e1', '', '007', '0x10', '%205', '%31', '99999999999999999999'),
      )
    case 'dir':
      return fc.constantFrom('asc', 'desc', 'desc', 'ASC', '', 'up', 'asc%00')
    case 'state':
      return fc.constantFrom('done', 'queued', 'error', 'done', '', 'Done', 'done%00', 'finished')
    case 'status':
      return fc.constantFrom('failed', 'missed', 'pending', 'succeeded', '', 'Failed', 'failed%00', 'done')
    case 'type':
      return fc.constantFrom(
        'printjob.done',
        'printjob.*',
        'printer.added',
        'computer.*',
        '',
        '*',
        'printjob',
        'printjob.gone',
      )
    case 'wait':
      return fc.constantFrom('1', '30', '30', '0', '31', '-1', '1.5', '', '007', '99999999999999999999')
    case 'createdAfter':
    case 'createdBefore':
      return fc.oneof(
        fc.date({ noInvalidDate: true }).map((at) => at.toISOString()),
        fc.constantFrom('2026-01-02T03:04:05%2B02:00', '2026-02-29T00:00:00Z', '2026-01-02', '', '0', '%00'),
      )
    case 'printerId':
    case 'computerId':
      return fc.oneof(fc.uuid(), fc.constantFrom('', 'laser', '%00'))
    case 'after':
      return fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...cursors) },
        fc.constantFrom('', 'now', 'nonsense', 'AAAAAAAAAAAAAAAAAAAAAA', 'AAAAAAAAAAAAAAAAAAAAAB', '%00'),
        queryText,
      )
    default:
      return queryText
  }
}

/** What the cursors of a list are good for. */
const listOf = (mode: string, path: string, dir: string, filters: object) => [
  ORGANIZATION_ID,
  mode,
  path.toLowerCase(),
  dir,
  Object.entries(filters).toSorted(([a], [b]) => (a < b ? -1 : 1)),
]

export function pageQueries(schema: ListSchema, path: string, cursors: Cursors): fc.Arbitrary<string> {
  const known = ['asc', 'desc'].map((dir) =>
    cursors.sign(listOf('test', path, dir, {}), packPlace({ place: 1n, id: ORGANIZATION_ID })),
  )
  const parameter = fc
    .constantFrom(...membersOf(schema as never).map(([name]) => name))
    .chain((name) => valuesOf(name, known).map((value) => `${name}=${value}`))
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc.array(parameter, { maxLength: 3 }).map((all) => (all.length > 0 ? `?${all.join('&')}` : '')),
    },
    { weight: 1, arbitrary: anyQuery },
  )
}

/** Each parameter with its value, or with all its values when it comes more than once. */
export function parametersOf(query: string): Map<string, string | string[]> {
  const found = new Map<string, string | string[]>()
  for (const [name, value] of new URLSearchParams(query)) {
    const before = found.get(name)
    found.set(name, before === undefined ? value : [before, value].flat())
  }
  return found
}

export function isPageQuery(query: string, schema: ListSchema, cursors: Cursors, mode: string, path: string): boolean {
  const parameters = parametersOf(query)
  const parsed = schema.safeParse(Object.fromEntries(parameters))
  if (!parsed.success || parameters.has('__proto__')) return false
  // How long a page is waited for, and that it is to be the empty one at the end, says nothing of which list it is.
  const {
    limit: _,
    after,
    dir,
    wait: __,
    fromNow: ___,
    ...filters
  } = parsed.data as typeof parsed.data & {
    wait?: number
    fromNow?: boolean
  }
  try {
    if (after !== undefined) cursors.open(listOf(mode, path, dir, filters), after)
    return true
  } catch {
    return false
  }
}

/** Ids for a path. @param known those that exist. */
export function pathIds(known: string[]): fc.Arbitrary<string> {
  const id = fc.constantFrom(...known)
  return fc.oneof(
    { weight: 6, arbitrary: fc.tuple(id, fc.constantFrom(...CASES)).map(([one, spell]) => spell(one)) },
    { weight: 1, arbitrary: id.map((one) => one.replace('-', '%2D').replace('0', '%30')) },
    { weight: 2, arbitrary: fc.uuid() },
    {
      weight: 3,
      arbitrary: fc.oneof(
        fc.constantFrom(
          '..',
          '.',
          '%2e%2e',
          '%2F',
          '..%2f..%2fwhoami',
          '%00',
          '%',
          '%zz',
          '%ff',
          '%25',
          '__proto__',
          'constructor',
          '*',
          '0',
          '-1',
          ':id',
          '(',
          '%5c',
          ';',
          'null',
        ),
        fc.tuple(id, fc.constantFrom('0', '%20', '%00', '.', '%2F', ';', '%0a', ',')).map((parts) => parts.join('')),
        fc.stringMatching(/^[A-Za-z0-9._~!$&'()*+,;=:@%-]{1,40}$/),
        fc.integer({ min: 100, max: 6_000 }).map((length) => 'a'.repeat(length)),
        fc.integer({ min: 10, max: 2_000 }).map((count) => '%2F'.repeat(count)),
      ),
    },
  )
}

/** The resource that a path's id names. */
export function idIn(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment).toLowerCase()
  } catch {
    return undefined
  }
}
