import { create } from '@bufbuild/protobuf'
import { PageRequestSchema } from '@platen/proto/gen/platen/paging/v1/paging_pb.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { createCursors, endPage, packPlace, rowsAsked, unpackPlace } from '../paging.ts'

const SECRET = 'a secret of the test installation'
const LIST = ['an organization', 'test', '/v1/printers', 'asc', []] as const
const refusal = expect.objectContaining({ code: 'invalid_request', message: expect.stringMatching(/`nextCursor`/) })

const aPlace = () => packPlace({ place: 123_456_789_012n, id: uuidv7() })

test.each([0n, 1n, 2n ** 32n, 2n ** 63n - 1n])('place %i survives the way between services', (place) => {
  const at = { place, id: uuidv7() }
  expect(unpackPlace(packPlace(at))).toEqual(at)
})

test.each([0, 23, 25])('%i bytes are no place', (length) => {
  expect(() => unpackPlace(new Uint8Array(length))).toThrow(expect.objectContaining({ code: 'invalid_request' }))
})

test('a cursor leads back to its place, at every process with the same secret', () => {
  const place = aPlace()
  const cursor = createCursors(SECRET).sign(LIST, place)
  expect(new Uint8Array(createCursors(SECRET).open(LIST, cursor))).toEqual(new Uint8Array(place))
})

test('a cursor is refused by an installation with another secret', () => {
  const cursor = createCursors(SECRET).sign(LIST, aPlace())
  expect(() => createCursors(`${SECRET}!`).open(LIST, cursor)).toThrow(refusal)
})

test.each([
  ['organization', ['another', 'test', '/v1/printers', 'asc', []]],
  ['mode', ['an organization', 'live', '/v1/printers', 'asc', []]],
  ['list', ['an organization', 'test', '/v1/computers', 'asc', []]],
  ['direction', ['an organization', 'test', '/v1/printers', 'desc', []]],
  ['filter', ['an organization', 'test', '/v1/printers', 'asc', [['state', 'done']]]],
])('a cursor is refused for another %s', (_, other) => {
  const cursors = createCursors(SECRET)
  expect(() => cursors.open(other, cursors.sign(LIST, aPlace()))).toThrow(refusal)
})

test('a cursor with any one bit changed is refused', () => {
  const cursors = createCursors(SECRET)
  const bytes = Buffer.from(cursors.sign(LIST, aPlace()), 'base64url')
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes)
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    expect(() => cursors.open(LIST, changed.toString('base64url'))).toThrow(refusal)
  }
})

test('a cursor that is cut, lengthened or spelled differently is refused', () => {
  const cursors = createCursors(SECRET)
  const cursor = cursors.sign(LIST, aPlace())
  for (const wrong of [
    '',
    'x',
    uuidv7(),
    cursor.slice(1),
    cursor.slice(0, -1),
    `${cursor}A`,
    `${cursor}=`,
    ` ${cursor}`,
    'é',
  ])
    expect(() => cursors.open(LIST, wrong)).toThrow(refusal)
})

test('a page shows as many rows as asked, says whether more follow, and ends at its last one', () => {
  const rows = Array.from({ length: 4 }, (_, n) => ({ id: uuidv7(), listPlace: BigInt(n) }))
  const page = create(PageRequestSchema, { limit: 3 })
  expect(rowsAsked(page)).toBe(4)
  const more = endPage(page, rows)
  expect(more.rows).toEqual(rows.slice(0, 3))
  expect(more.end.hasMore).toBe(true)
  expect(unpackPlace(more.end.place ?? new Uint8Array())).toEqual({ place: 2n, id: rows[2]?.id })
  expect(endPage(page, rows.slice(1)).end.hasMore).toBe(false)
  const { end } = endPage(page, [])
  expect([end.hasMore, end.place]).toEqual([false, undefined])
})
