/** Bytes that are nearly HTTP. The response is the envelope or nothing, and nothing is stored. */
import { once } from 'node:events'
import { METHODS } from 'node:http'
import { connect } from 'node:net'
import { realWait } from '@platen/test/harness/real-time.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newPrinting } from '../client.ts'
import { startRunningGateway } from './start-gateway.ts'

/** In parallel, because many of them wait. */
const BATCH = 100

/** One of lists that are separated by `|`. */
const any = (...lists: string[]) => fc.constantFrom(...lists.flatMap((list) => list.split('|')))
const long = (from: number, to: number, one: string) =>
  fc.integer({ min: from, max: to }).map((count) => one.repeat(count))
const weighted = (...arbitraries: [weight: number, fc.Arbitrary<string>][]) =>
  fc.oneof(...arbitraries.map(([weight, arbitrary]) => ({ weight, arbitrary })))

const method = weighted(
  [4, any('GET|POST|HEAD|DELETE')],
  [1, any('CONNECT|PRI', ...METHODS)],
  [1, any('|get|BREW|GETX|G\0T|GET\t|é|POST POST')],
)
const target = weighted(
  [2, any('/v1/printjobs|/v1/whoami|/healthz|*|| |a:80|/a b|/\0|/\xff|foo://a|http://[|/#?|/v1/|//v1/whoami|/\\|/%zz')],
  [1, any('/v1/../healthz|http://user:secret@a/|javascript://a|http://a%00b|/v1%2Fwhoami|/?__proto__=1')],
  [1, long(1, 20_000, 'a').map((path) => `/${path}`)],
)
const version = weighted(
  [6, any(' HTTP/1.1')],
  [2, any(' HTTP/1.0')],
  [2, any('| | HTTP/2.0| HTTP/0.9| HTTP/1.2| HTTP/11| http/1.1| HTTP/1.1 | ICE/1.0| RTSP/1.0')],
)
const framing = weighted(
  [3, any('3|0|-1|+3|3, 3|0x3|99999999999999999999|26214401000|').map((length) => `Content-Length: ${length}`)],
  [
    2,
    any('chunked|chunked, chunked|gzip|gzip, chunked|identity|xchunked').map(
      (coding) => `Transfer-Encoding: ${coding}`,
    ),
  ],
  [1, any('Transfer-Encoding : chunked')],
)
const header = weighted(
  [4, any('Host: a|Host:|Host: b|host: \xff|Host: a b')],
  [
    2,
    any(
      'Expect: 100-continue|Connection: close|Upgrade: h2c\r\nConnection: Upgrade|X-Request-Id: a\r\nX-Request-Id: b',
    ),
  ],
  [2, any('NoColon|: v|Name : v| Folded: v|A: b\r\n c|A: \0|A\0: b|A: b\rC: d|A: b\nC: d|A\x7f: b|é: v|"A": b')],
  [1, long(50, 300, 'A: b\r\n').map((lines) => `${lines}A: b`)],
  [1, long(10_000, 20_000, 'b').map((value) => `A: ${value}`)],
)
const body = weighted(
  [2, any('|abc|{}|3\r\nabc\r\n0\r\n\r\n|0\r\n\r\n|zz\r\n|-1\r\n|ffffffffffffffffff\r\n|3\r\nabcd|3\nabc\n0\n\n')],
  [1, fc.string({ unit: 'binary-ascii', maxLength: 60 })],
  [1, long(1, 30_000, 'x').map((name) => `3;${name}\r\nabc\r\n0\r\n\r\n`)],
)
/** TLS, HTTP/2, SOCKS and other bytes at the wrong port. */
const noise = fc.oneof(
  any('\x16\x03\x01\x02\x00\x01\x00|PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n|\x05\x01\x00|\r\n\r\n'),
  fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 200 }),
)

/** A request, cut off somewhere or not. */
const host = any('Host: a\r\n|Host: a\r\n|Host: a\r\n|')
const request = fc
  .tuple(
    method,
    target,
    version,
    host,
    fc.array(header, { maxLength: 4 }),
    fc.option(framing),
    body,
    fc.option(fc.nat()),
  )
  .map(([method, target, version, host, headers, framing, body, cut]) => {
    const fields = framing === null ? headers : [...headers, framing]
    const head = `${method} ${target}${version}\r\n${host}${fields.map((field) => `${field}\r\n`).join('')}\r\n`
    const all = head + (framing === null ? '' : body)
    return { text: cut === null ? all : all.slice(0, cut % all.length), isWhole: cut === null && framing === null }
  })

/** @returns what came back until the gateway closed, or until the first answer of a whole request. */
async function exchange(port: number, { text, isWhole }: { text: string; isWhole: boolean }): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: Buffer) => {
    received = (received + chunk.toString('latin1')).replace('HTTP/1.1 100 Continue\r\n\r\n', '')
    if (isWhole && received.includes('\r\n\r\n')) socket.end()
  })
  const closed = once(socket, 'close')
  socket.write(text, 'latin1')
  // The gateway may rightly wait for more.
  if (!isWhole) void realWait('an incomplete request').then(() => socket.end())
  await closed
  return received
}

/** @throws for a client error whose body is not the envelope. */
function checkAnswer(received: string, sent: string): void {
  const [head = '', body = ''] = received.split(/\r\n\r\n(.*)/s)
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]
  const [, status = ''] = /^HTTP\/1\.1 ([234]\d\d) /.exec(head) ?? []
  expect(status, `${head}\nto ${sent}`).toMatch(/./)
  expect([field('X-Request-Id'), field('X-Content-Type-Options')], sent).toEqual([
    expect.stringMatching(/./),
    'nosniff',
  ])
  const length = Number(field('Content-Length'))
  // What follows the answer to HEAD is another answer.
  const hasBody = !/^"(\\r|\\n)*HEAD /.test(sent)
  if (!status.startsWith('4') || !hasBody || body === '' || body.length < length) return
  const error = { code: expect.any(String), message: expect.any(String), request_id: field('X-Request-Id') }
  expect(JSON.parse(body.slice(0, length)), sent).toMatchObject({ error })
}

test('what is broken is answered in the envelope or not at all', { timeout: 120_000 }, async () => {
  const { port, url } = await startRunningGateway({ inlineDocumentBytes: 0 })
  const { api, job, expectFilesOfJobs } = await newPrinting('live', url)
  const counts = { answered: 0, silent: 0 }
  const bytes = fc.oneof(
    { weight: 9, arbitrary: request },
    { weight: 1, arbitrary: noise.map((text) => ({ text, isWhole: false })) },
  )
  const property = fc.asyncProperty(
    fc.array(bytes, { minLength: BATCH, maxLength: BATCH, size: 'max' }),
    async (batch) => {
      const answers = await Promise.all(batch.map((sent) => exchange(port, sent)))
      for (const [n, received] of answers.entries()) {
        counts[received === '' ? 'silent' : 'answered']++
        if (received !== '') checkAnswer(received, JSON.stringify(batch[n]?.text.slice(0, 1_000)))
      }
    },
  )
  await fc.assert(property, { numRuns: 10, endOnFailure: true })
  // Otherwise the test proves nothing.
  expect(counts.answered).toBeGreaterThan(counts.silent)
  await api.createJob(job())
  await expectFilesOfJobs()
})
