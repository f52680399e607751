/**
 * Requests of every form at every operation of the gateway, each with the answer that the specification demands. The gateway is
 * the real one; the services behind it are scripted and always up, so no 5xx is ever right here.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { METHODS } from 'node:http'
import type { Gateway } from '@platen/gateway/gateway.ts'
import { createRouter } from '@platen/gateway/router.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkAnswer, checkRequestId } from './check-answer.ts'
import { type FuzzGround, startFuzzGround } from './fuzz-ground.ts'
import { type Call, OPERATIONS } from './operations.ts'
import { anyQuery, credentials, type Header, otherHeaders, uselessBody } from './requests.ts'
import { forManyRequests } from './run.ts'

const LIMIT_MS = 300_000

function headOf({ method, target, headers }: Pick<Call, 'method' | 'target' | 'headers'>): Buffer {
  const lines: Header[] = [['Host', 'platen.test'], ...headers]
  const text = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.from(`${method} ${target} HTTP/1.1\r\n${text}\r\n`, 'latin1')
}

/** @returns the code of the answer, or `ok`; undefined when a client that went away got none. */
async function expectRight(ground: FuzzGround, call: Call): Promise<string | undefined> {
  const head = headOf(call)
  try {
    const answer = await ground.client.send({
      pieces: [head, ...call.pieces],
      method: call.method,
      endAfter: call.leaves,
    })
    if (!answer && call.leaves) return undefined
    if (!answer) throw new Error('no answer')
    const code = checkAnswer(answer, call.method, call.target)
    checkRequestId(answer, call.headers.find(([name]) => name === 'X-Request-Id')?.[1])
    if (call.leaves && code === 'ok') throw new Error('accepted, although not all of it came')
    if (call.leaves) return code
    if (!call.codes.includes(code)) throw new Error(`${code} instead of ${call.codes.join(' or ')}: ${answer.body}`)
    // A HEAD and a 204 have none, which `checkAnswer` has seen to.
    if (code === 'ok' && answer.body !== '') call.checkShown?.(JSON.parse(answer.body), answer)
    return code
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${JSON.stringify(head.toString('latin1'))}\n${call.what}`)
  }
}

test('every route has its operation here', () => {
  const routes = createRouter({} as Gateway).stack.map(({ methods, path }) => `${methods.at(-1)} ${path}`)
  expect(Object.keys(OPERATIONS).toSorted()).toEqual(routes.toSorted())
})

test.each(Object.entries(OPERATIONS))(
  '%s answers as the specification says',
  { timeout: LIMIT_MS },
  async (_, calls) => {
    const ground = await startFuzzGround()
    const codes = new Map<string | undefined, number>()
    const acceptedBefore = ground.services.createdJobs.length
    await forManyRequests(calls(ground), async (call) => {
      const code = await expectRight(ground, call)
      codes.set(code, (codes.get(code) ?? 0) + 1)
    })
    if (process.env.PLATEN_FUZZ_PRINT) console.log(Object.fromEntries(codes))
    // Otherwise the requests do not get far enough to say anything.
    expect(codes.get('ok')).toBeGreaterThan(100)
    const created = ground.services.createdJobs.slice(acceptedBefore)
    await ground.expectSound()
    if (created.length === 0) return
    expect(created.length).toBe(codes.get('ok'))
    const digests = await Promise.all(
      (await ground.services.storedFiles()).map(async (file) => sha256(await readFile(file))),
    )
    // Those that are to be fetched, and reprints, have stored nothing.
    const stored = ground.services.createdJobs.flatMap(({ fileSha256 }) => fileSha256 || [])
    expect(digests.toSorted()).toEqual(stored.toSorted())
  },
)

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

const segment = fc.oneof(
  fc.constantFrom(
    'v1',
    'V1',
    'printjobs',
    'printers',
    'computers',
    'whoami',
    'events',
    '..',
    '.',
    '',
    '%2e',
    '%2F',
    'v1%2F',
    '*',
  ),
  fc.stringMatching(/^[A-Za-z0-9._~!$&'()*+,;=:@%\\|^`{}[\]<>"#-]{0,12}$/),
)
const anyPath = fc.array(segment, { maxLength: 5 }).map((segments) => `/${segments.join('/')}`)
const anyTarget = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(anyPath, anyQuery).map((parts) => parts.join('')) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('*', '//', '/\\', '/v1', '/v1/', '/v1?', '//v1/whoami', '/v1//whoami', '/?', '/#'),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom('http', 'https', 'HTTP', 'ftp', 'file', 'javascript', 'foo', 'x', 'mailto'),
        fc.constantFrom(
          '',
          'a',
          'a:80',
          'a:99999',
          'a:x',
          'user:secret@a',
          '[::1]',
          '[::1',
          '%',
          'a%00b',
          '-',
          '.',
          '1.2.3',
          '@',
        ),
        fc.oneof(fc.constant(''), anyPath),
      )
      .map(([scheme, host, path]) => `${scheme}://${host}${path}`),
  },
)

test('any method at any target is answered in the envelope', { timeout: LIMIT_MS }, async () => {
  const ground = await startFuzzGround()
  const calls = fc.record({
    method: fc.constantFrom(...METHODS.filter((method) => method !== 'CONNECT')),
    target: anyTarget,
    credential: credentials(ground.keys),
    others: otherHeaders,
    body: uselessBody,
  })
  await forManyRequests(calls, async ({ method, target, credential, others, body }) => {
    const head = headOf({ method, target, headers: [...credential.headers, ...others, ...body.headers] })
    const pieces = [head, ...body.pieces]
    try {
      const answer = await ground.client.send({ pieces, method })
      if (!answer) throw new Error('no answer')
      checkAnswer(answer, method, target)
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${JSON.stringify(head.toString('latin1'))}`)
    }
  })
  await ground.expectSound()
})
