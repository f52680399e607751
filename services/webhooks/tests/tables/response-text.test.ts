import { proves } from '@platen/test/harness/rules.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readResponse, toText } from '../../delivery/response-text.ts'

async function* pieces(...chunks: Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks
}

test('the first 1,024 bytes of a response are kept, however they arrive', async () => {
  proves('attempt.response')
  const text = 'x'.repeat(1_023)
  const read = async (...chunks: string[]) =>
    await readResponse({ status: 200, headers: {}, body: pieces(...chunks.map((chunk) => Buffer.from(chunk))) })
  expect(await read(text)).toBe(text)
  expect(await read(text, 'y')).toBe(`${text}y`)
  expect(await read(text, 'yz', 'more')).toBe(`${text}y`)
  expect(await read()).toBe('')
})

test('a character that the limit cuts is omitted', () => {
  expect(toText(Buffer.from(`${'x'.repeat(1_022)}€`))).toBe('x'.repeat(1_022))
  expect(toText(Buffer.from(`${'x'.repeat(1_021)}€`))).toBe(`${'x'.repeat(1_021)}€`)
})

test('control characters are replaced, except tabs and line breaks', () => {
  expect(toText(Buffer.from('a\0b\u001b[31mc\td\r\ne\u009b'))).toBe('a\ufffdb\ufffd[31mc\td\r\ne\ufffd')
})

test('any bytes become text of at most 1,024 bytes without NUL', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3_000 }), (bytes) => {
      const text = toText(Buffer.from(bytes))
      return Buffer.byteLength(text) <= 1_024 && !text.includes('\0') && text.isWellFormed()
    }),
  )
})

test('at most 16 KB of an endless response are read', async () => {
  let given = 0
  async function* endless(): AsyncGenerator<Buffer> {
    for (;;) {
      given += 1_000
      yield Buffer.alloc(1_000, 'x')
    }
  }
  expect(await readResponse({ status: 200, headers: {}, body: endless() })).toHaveLength(1_024)
  expect(given).toBeLessThanOrEqual(18_000)
})

test('a compressed response is not decompressed and not kept', async () => {
  const headers = { 'content-encoding': 'gzip' }
  expect(await readResponse({ status: 200, headers, body: pieces(Buffer.from('packed')) })).toBeNull()
})
