import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAnswer, toText } from '../delivery/answer-text.ts'

async function* pieces(...chunks: Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks
}

test('the first 1,024 bytes are kept, however they come', async () => {
  const text = 'x'.repeat(1_023)
  const read = async (...chunks: string[]) =>
    await readAnswer({ status: 200, headers: {}, body: pieces(...chunks.map((chunk) => Buffer.from(chunk))) })
  expect(await read(text)).toBe(text)
  expect(await read(text, 'y')).toBe(`${text}y`)
  expect(await read(text, 'yz', 'more')).toBe(`${text}y`)
  expect(await read()).toBe('')
})

test('a character that the cut goes through is left out', () => {
  expect(toText(Buffer.from(`${'x'.repeat(1_022)}€`))).toBe('x'.repeat(1_022))
  expect(toText(Buffer.from(`${'x'.repeat(1_021)}€`))).toBe(`${'x'.repeat(1_021)}€`)
})

test('controls are replaced, but for tabs and line breaks', () => {
  expect(toText(Buffer.from('a\0b\u001b[31mc\td\r\ne\u009b'))).toBe('a\ufffdb\ufffd[31mc\td\r\ne\ufffd')
})

test('whatever bytes come, what is kept is text of at most 1,024 bytes without NUL', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3_000 }), (bytes) => {
      const text = toText(Buffer.from(bytes))
      return Buffer.byteLength(text) <= 1_024 && !text.includes('\0') && text.isWellFormed()
    }),
  )
})

test('not more than 16 KB is read of an answer without end', async () => {
  let given = 0
  async function* endless(): AsyncGenerator<Buffer> {
    for (;;) {
      given += 1_000
      yield Buffer.alloc(1_000, 'x')
    }
  }
  expect(await readAnswer({ status: 200, headers: {}, body: endless() })).toHaveLength(1_024)
  expect(given).toBeLessThanOrEqual(18_000)
})

test('an answer that is packed is not unpacked, and nothing of it is kept', async () => {
  const headers = { 'content-encoding': 'gzip' }
  expect(await readAnswer({ status: 200, headers, body: pieces(Buffer.from('packed')) })).toBeNull()
})
