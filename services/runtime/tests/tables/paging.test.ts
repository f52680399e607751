import { create } from '@bufbuild/protobuf'
import { PageRequestSchema } from '@platen/proto/gen/platen/paging/v1/paging_pb.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import type { Keyring } from '../../keyring.ts'
import { createCursors, endPage, packPosition, queryLimit, unpackPosition } from '../../paging.ts'

const SECRET = Buffer.from('a secret of the test installation')
const LIST = ['an organization', 'test', '/v1/printers', 'asc', []] as const
const refusal = expect.objectContaining({ code: 'invalid_request', message: expect.stringMatching(/`nextCursor`/) })
const position = packPosition({ commitSeq: 123_456_789_012n, id: uuidv7() })
const cursors = createCursors([SECRET])
const cursor = cursors.sign(LIST, position)

test.each([0n, 1n, 2n ** 32n, 2n ** 63n - 1n])('position %i is packed without loss', (number) => {
  const at = { commitSeq: number, id: uuidv7() }
  expect(unpackPosition(packPosition(at))).toEqual(at)
})

test.each([0, 23, 25])('%i bytes are not a position', (length) => {
  expect(() => unpackPosition(new Uint8Array(length))).toThrow(expect.objectContaining({ code: 'invalid_request' }))
})

test('every process of an installation accepts a cursor; an installation with another secret refuses it', () => {
  expect(new Uint8Array(createCursors([SECRET]).open(LIST, cursor))).toEqual(new Uint8Array(position))
  expect(() => createCursors([Buffer.from(`${SECRET}!`)]).open(LIST, cursor)).toThrow(refusal)
})

test('the first key signs, and cursors of each key of the list are accepted', () => {
  const NEWER = Buffer.from('another secret of the installation')
  const open = (keyring: Keyring, signed: string) => () => createCursors(keyring).open(LIST, signed)
  const newer = createCursors([NEWER, SECRET]).sign(LIST, position)
  expect(createCursors([NEWER]).sign(LIST, position)).toBe(newer)
  for (const keyring of [[SECRET, NEWER] as const, [NEWER, SECRET] as const])
    for (const signed of [cursor, newer])
      expect(new Uint8Array(open(keyring, signed)())).toEqual(new Uint8Array(position))
  expect(open([NEWER], cursor)).toThrow(refusal)
  expect(open([SECRET], newer)).toThrow(refusal)
})

test('each release signs the same cursor for a position, because cursors do not expire', () => {
  const at = packPosition({ commitSeq: 1n, id: '01890a5d-ac96-774b-bcce-b302099a8057' })
  expect(cursors.sign(LIST, at)).toBe('AyJejTNGwa4xVc0PjKtp9AAAAAAAAAABAYkKXayWd0u8zrMCCZqAVw')
})

test.each([
  ['organization', ['another', 'test', '/v1/printers', 'asc', []]],
  ['mode', ['an organization', 'live', '/v1/printers', 'asc', []]],
  ['list', ['an organization', 'test', '/v1/computers', 'asc', []]],
  ['direction', ['an organization', 'test', '/v1/printers', 'desc', []]],
  ['filter', ['an organization', 'test', '/v1/printers', 'asc', [['state', 'done']]]],
])('a cursor is refused for another %s', (_, other) => {
  expect(() => cursors.open(other, cursor)).toThrow(refusal)
})

test('a cursor with any one bit changed is refused, also one that is cut, lengthened or spelled differently', () => {
  proves('convention.cursor.malformed')
  const bytes = Buffer.from(cursor, 'base64url')
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes)
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    expect(() => cursors.open(LIST, changed.toString('base64url'))).toThrow(refusal)
  }
  const spelled = [cursor.slice(1), cursor.slice(0, -1), `${cursor}A`, `${cursor}=`, ` ${cursor}`]
  for (const wrong of ['', 'x', uuidv7(), 'é', ...spelled]) expect(() => cursors.open(LIST, wrong)).toThrow(refusal)
})

test('a page has the requested rows, `hasMore` and the position of its last row', () => {
  const rows = Array.from({ length: 4 }, (_, n) => ({ id: uuidv7(), commitSeq: BigInt(n) }))
  const page = create(PageRequestSchema, { limit: 3 })
  expect(queryLimit(page)).toBe(4)
  const more = endPage(page, rows)
  expect([more.rows, more.end.hasMore]).toEqual([rows.slice(0, 3), true])
  expect(unpackPosition(more.end.position ?? new Uint8Array())).toEqual({ commitSeq: 2n, id: rows[2]?.id })
  expect(endPage(page, rows.slice(1)).end.hasMore).toBe(false)
  const { end } = endPage(page, [])
  expect([end.hasMore, end.position]).toEqual([false, undefined])
})

test('a page has at most 256 KiB but at least one row, and ends where the query stopped', () => {
  proves('page.bytes')
  const rows = Array.from({ length: 3 }, (_, n) => ({ id: uuidv7(), commitSeq: BigInt(n) }))
  const page = create(PageRequestSchema, { limit: 3 })
  const max = 256 * 1024
  for (const [bytes, shown] of [
    [Math.floor(max / 3), 3],
    [Math.ceil(max / 3), 2],
    [max + 1, 1],
  ] as const) {
    const cut = endPage(page, rows, { getBytes: () => bytes })
    expect(cut.rows).toHaveLength(shown)
    expect(cut.end.hasMore).toBe(shown < 3)
    expect(unpackPosition(cut.end.position ?? new Uint8Array())).toMatchObject({ id: rows[shown - 1]?.id })
  }
  const scannedUntil = { id: uuidv7(), commitSeq: 9n }
  for (const found of [rows, []]) {
    const { hasMore, position } = endPage(page, found, { scannedUntil }).end
    expect([hasMore, unpackPosition(position ?? new Uint8Array())]).toEqual([true, scannedUntil])
  }
})
