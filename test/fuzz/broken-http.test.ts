/** Bytes that are nearly HTTP: whatever is wrong with them, what comes back is the envelope or nothing, and nothing is stored. */
import { once } from 'node:events'
import { METHODS } from 'node:http'
import { connect } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkAnswer } from './check-answer.ts'
import { startFuzzGround } from './fuzz-ground.ts'
import { parseAnswer, type RawAnswer } from './raw-client.ts'
import { forManyRequests } from './run.ts'

const LIMIT_MS = 300_000
/** For what may rightly leave the gateway waiting for more: then it hears that no more comes. */
const PATIENCE_MS = 100
/** Together, since many of them wait. */
const BATCH = 200

interface Bytes {
  bytes: Buffer
  method: string
  /** There is a whole head and nothing that announces a body, so there must be an answer. */
  complete: boolean
}

const bytesOf = (text: string) => Buffer.from(text, 'latin1')

const method = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('GET', 'POST', 'HEAD', 'DELETE') },
  { weight: 1, arbitrary: fc.constantFrom('CONNECT', 'CONNECT', 'PRI', ...METHODS) },
  { weight: 1, arbitrary: fc.constantFrom('', 'get', 'BREW', 'GETX', 'G\0T', 'GET\t', 'é', 'POST POST') },
)
const target = fc.oneof(
  fc.constantFrom(
    '/v1/printjobs',
    '/v1/whoami',
    '/healthz',
    '*',
    '',
    ' ',
    'a:80',
    '/a b',
    '/\0',
    '/\xff',
    'foo://a',
    'http://[',
    '/#?',
  ),
  fc.integer({ min: 1, max: 20_000 }).map((length) => `/${'a'.repeat(length)}`),
)
const version = fc.oneof(
  { weight: 6, arbitrary: fc.constant(' HTTP/1.1') },
  { weight: 2, arbitrary: fc.constant(' HTTP/1.0') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '',
      ' ',
      ' HTTP/2.0',
      ' HTTP/0.9',
      ' HTTP/1.2',
      ' HTTP/11',
      ' http/1.1',
      ' HTTP/1.1 ',
      ' ICE/1.0',
      ' RTSP/1.0',
    ),
  },
)
const framing = fc.constantFrom(
  'Content-Length: 3',
  'Content-Length: 0',
  'Content-Length: -1',
  'Content-Length: +3',
  'Content-Length: 3, 3',
  'Content-Length: 0x3',
  'Content-Length: 99999999999999999999',
  'Content-Length: 26214401000',
  'Content-Length:',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: chunked, chunked',
  'Transfer-Encoding: gzip',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: identity',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding : chunked',
)
const header = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('Host: a', 'Host: a', 'Host:', 'Host: b', 'host: \xff', 'Host: a b') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'Expect: 100-continue',
      'Connection: close',
      'Connection: Upgrade\r\nUpgrade: websocket',
      'Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__',
      'Content-Type: application/json',
      'X-Request-Id: a\r\nX-Request-Id: b',
      'Proxy-Connection: keep-alive',
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'NoColon',
      ': v',
      'Name : v',
      ' Folded: v',
      'A: b\r\n c',
      'A: \0',
      'A\0: b',
      'A: b\rC: d',
      'A: b\nC: d',
      'A\x7f: b',
      'é: v',
      '"A": b',
      '\r\n',
    ),
  },
  { weight: 1, arbitrary: fc.integer({ min: 50, max: 300 }).map((count) => `${'A: b\r\n'.repeat(count)}A: b`) },
  { weight: 1, arbitrary: fc.integer({ min: 10_000, max: 20_000 }).map((length) => `A: ${'b'.repeat(length)}`) },
)
const body = fc.oneof(
  fc.constantFrom(
    '',
    'abc',
    '{}',
    '3\r\nabc\r\n0\r\n\r\n',
    '0\r\n\r\n',
    'zz\r\n',
    '-1\r\n',
    'ffffffffffffffffff\r\n',
    '3\r\nabcd',
    '3;a=b\r\nabc\r\n0\r\nTrailer',
    '3\nabc\n0\n\n',
  ),
  fc.string({ unit: 'binary-ascii', maxLength: 60 }),
  fc.integer({ min: 1, max: 30_000 }).map((length) => `3;${'x'.repeat(length)}\r\nabc\r\n0\r\n\r\n`),
)

const request: fc.Arbitrary<Bytes> = fc
  .record({
    method,
    target,
    version,
    host: fc.constantFrom('Host: a\r\n', 'Host: a\r\n', 'Host: a\r\n', ''),
    headers: fc.array(header, { maxLength: 4 }),
    framing: fc.option(framing),
    body,
    cut: fc.option(fc.nat(), { freq: 6 }),
  })
  .map((parts) => {
    const { host, headers, cut } = parts
    const fields = parts.framing === null ? headers : [...headers, parts.framing]
    const head = `${parts.method} ${parts.target}${parts.version}\r\n${host}${fields.map((field) => `${field}\r\n`).join('')}\r\n`
    const all = bytesOf(head + (parts.framing === null ? '' : parts.body))
    return {
      bytes: cut === null ? all : all.subarray(0, cut % all.length),
      method: parts.method,
      complete: cut === null && parts.framing === null,
    }
  })

const noise: fc.Arbitrary<Bytes> = fc
  .oneof(
    fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    // TLS, HTTP/2 and SOCKS at the wrong port.
    fc
      .constantFrom('\x16\x03\x01\x02\x00\x01\x00', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '\x05\x01\x00', '\r\n\r\n')
      .map(bytesOf),
  )
  .map((bytes) => ({ bytes, method: '', complete: false }))

/** @returns all that came back until the gateway closed, or its first whole answer. */
async function exchange(port: number, { bytes, method, complete }: Bytes): Promise<RawAnswer | undefined> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  let answer: RawAnswer | undefined
  let problem: unknown
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1')
    try {
      answer ??= parseAnswer(received, method, { more: true })
    } catch (error) {
      problem = error
    }
    if (answer || problem) socket.destroy()
  })
  socket.write(bytes)
  const timer = complete ? undefined : setTimeout(() => socket.end(), PATIENCE_MS)
  await once(socket, 'close')
  clearTimeout(timer)
  if (problem) throw problem
  return answer
}

test('what is broken is answered in the envelope or not at all', { timeout: LIMIT_MS }, async () => {
  const ground = await startFuzzGround()
  const counts = { answered: 0, silent: 0 }
  const requests = fc.oneof({ weight: 9, arbitrary: request }, { weight: 1, arbitrary: noise })
  await forManyRequests(
    requests,
    async (sent) => {
      try {
        const answer = await exchange(ground.port, sent)
        if (!answer && sent.complete) throw new Error('no answer')
        if (answer) checkAnswer(answer, sent.method)
        counts[answer ? 'answered' : 'silent']++
      } catch (error) {
        const text = sent.bytes.toString('latin1').replace(/(.)\1{50,}/g, (run, one) => `${one}{${run.length}}`)
        throw new Error(
          `${(error as Error).message}\n${JSON.stringify(text.slice(0, 1_500))} (${sent.bytes.length} bytes)`,
        )
      }
    },
    BATCH,
  )
  if (process.env.PLATEN_FUZZ_PRINT) console.log(counts)
  // Otherwise the requests say nothing.
  expect(counts.answered).toBeGreaterThan(counts.silent)
  await ground.expectSound()
})
