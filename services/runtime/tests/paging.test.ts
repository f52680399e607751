import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { decodeCursor, encodeCursor } from '../paging.ts'

test('a cursor leads back to the row it was made of', () => {
  const id = uuidv7()
  expect(decodeCursor(encodeCursor(id))).toBe(id)
})

test.each(['', 'x', uuidv7(), `${encodeCursor(uuidv7())}A`, encodeCursor(uuidv7()).slice(1), '../../etc/passwd', 'é'])(
  '%j is refused as a cursor',
  (cursor) => {
    expect(() => decodeCursor(cursor)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  },
)
