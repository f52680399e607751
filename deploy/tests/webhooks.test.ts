import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { freePort } from '@platen/test/harness/free-port.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { startWebhookReceiver, verify } from '@platen/test/harness/webhook-receiver.ts'
import { expect, onTestFinished, test } from 'vitest'

const MAIN = new URL('../webhooks/main.ts', import.meta.url).pathname
/** For those that start many processes, one after the other. */
const LIMIT_MS = 180_000
const SECRET = `whsec_${Buffer.alloc(24, 'secret').toString('base64')}`

interface Listener {
  process: ChildProcess
  output(): string
  ended: Promise<unknown[]>
}

/** `npm run webhooks -- …` without npm. */
function run(args: string[], env: NodeJS.ProcessEnv = {}): Listener {
  const process_ = spawn(process.execPath, [MAIN, ...args], { env: { ...process.env, ...env }, stdio: 'pipe' })
  let output = ''
  for (const stream of [process_.stdout, process_.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk
    })
  onTestFinished(() => void process_.kill('SIGKILL'))
  return { process: process_, output: () => output, ended: once(process_, 'close') }
}

async function refusal(args: string[]): Promise<string> {
  const { ended, output } = run(args)
  expect((await ended)[0]).toBe(1)
  return output()
}

async function startReceiver() {
  const receiver = await startWebhookReceiver()
  onTestFinished(() => receiver.stop())
  return receiver
}

/** A server in the place of Platen's, which answers the requests for the feed one after the other, and the last for ever. */
async function startFeed(answers: ((response: ServerResponse) => void)[]) {
  const asked: URLSearchParams[] = []
  const server = createServer(({ url = '', headers }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://feed')
    expect(pathname).toBe('/v1/events')
    expect(headers.authorization).toBe('Bearer the-key')
    const answer = answers[Math.min(asked.push(searchParams), answers.length) - 1]
    answer?.(response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const page = (nextCursor: string, ...data: object[]) => answer(200, { data, hasMore: false, nextCursor })
const answer =
  (status: number, body: unknown, headers = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, headers).end(JSON.stringify(body))
const failure = (status: number, code: string, message: string, headers = {}) =>
  answer(status, { error: { code, message, request_id: 'r' } }, headers)
const silence = () => undefined
const event = (id: string) => ({ id, type: 'printjob.done', data: { z: 1, a: 'ü', id: 'job' }, sequence: 5 })

test('listen forwards each event once and signed, and goes on through 429, 5xx and lost connections', async () => {
  const receiver = await startReceiver()
  const feed = await startFeed([
    page('at-the-start'),
    page('behind-two', event('one'), event('two')),
    failure(503, 'service_unavailable', 'Try again.'),
    (response) => void response.destroy(),
    failure(429, 'rate_limited', 'Slow down.', { 'retry-after': '1' }),
    page('behind-three', event('three')),
    silence,
  ])
  const forward = `${receiver.url}/hook?shop=1`
  const options = ['--type', 'printjob.*', '--type', 'printer.added', '--secret', SECRET]
  const listener = run(['listen', '--server', `${feed.url}/`, '--key', 'the-key', '--forward', forward, ...options])

  await waitFor(() => expect(listener.output()).toMatch(/printjob\.done three 204 \d+ ms/))
  await waitFor(() => expect(feed.asked).toHaveLength(7))

  const delivered = receiver.at('/hook?shop=1')
  expect(delivered.map(({ headers }) => headers['webhook-id'])).toEqual(['one', 'two', 'three'])
  for (const request of delivered) expect(verify(request, SECRET)).toEqual(event(request.headers['webhook-id'] ?? ''))
  expect(delivered[0]?.body).toBe(JSON.stringify(event('one')))
  expect(listener.output()).toContain(SECRET)
  expect(listener.output()).toContain('503 service_unavailable: Try again.')
  expect(listener.output()).not.toContain('the-key')
  expect(feed.asked.map((asked) => asked.get('after'))).toEqual([
    'now',
    'at-the-start',
    ...Array.from({ length: 4 }, () => 'behind-two'),
    'behind-three',
  ])
  expect(feed.asked[0]?.get('wait')).toBeNull()
  expect(feed.asked[1]?.get('wait')).toBe('30')
  for (const asked of feed.asked) expect(asked.getAll('type')).toEqual(['printjob.*', 'printer.added'])
})

test('listen tells what became of each forward, and goes on when nobody listens at the address', async () => {
  const receiver = await startReceiver()
  receiver.answerBy(() => ({ status: 302, headers: { location: '/elsewhere' } }))
  const pages = [page('a'), page('b', event('one')), silence]
  const closed = `http://127.0.0.1:${await freePort()}`
  for (const [forward, outcome] of [
    [`${receiver.url}/hook`, '302'],
    [closed, 'ECONNREFUSED'],
  ] as const) {
    const feed = await startFeed(pages)
    const listener = run(['listen', '--server', feed.url, '--key', 'the-key', '--forward', forward])
    await waitFor(() => expect(listener.output()).toMatch(new RegExp(`printjob\\.done one ${outcome} \\d+ ms`)))
    await waitFor(() => expect(feed.asked).toHaveLength(3))
  }
  expect(receiver.received).toHaveLength(1)
})

test('Ctrl-C ends listen at once, while it waits for events and while nobody answers', async () => {
  const waiting = await startFeed([page('a'), silence])
  const servers = [
    [waiting.url, () => expect(waiting.asked).toHaveLength(2)],
    [`http://127.0.0.1:${await freePort()}`, undefined],
  ] as const
  for (const [server, reached] of servers) {
    const listener = run(['listen', '--server', server, '--key', 'the-key', '--forward', 'http://127.0.0.1:9'])
    await waitFor(reached ?? (() => expect(listener.output()).toContain('is Platen running there?')))
    const since = performance.now()
    listener.process.kill('SIGINT')
    expect((await listener.ended).slice(0, 2)).toEqual([0, null])
    expect(performance.now() - since).toBeLessThan(10_000)
  }
})

test('listen says in one sentence what is wrong with the key, the types or the server, and exits with 1', {
  timeout: LIMIT_MS,
}, async () => {
  const wrong = async (...answers: Parameters<typeof startFeed>[0]) => {
    const { url } = await startFeed(answers)
    return await refusal(['listen', '--server', url, '--key', 'the-key', '--forward', 'http://127.0.0.1:9'])
  }
  expect(await wrong(failure(401, 'unauthorized', 'Send a key.'))).toMatch(
    /does not know this key: give a valid one by --key/,
  )
  expect(await wrong(failure(403, 'insufficient_scope', 'It needs `read`.'))).toMatch(
    /403 insufficient_scope: It needs `read`/,
  )
  expect(await wrong(failure(400, 'invalid_request', '`type` is wrong.'))).toMatch(
    /400 invalid_request: `type` is wrong/,
  )
  const noFeed = /has no event feed of Platen: give the address of the REST API by --server/
  expect(await wrong(answer(404, 'Not Found'))).toMatch(noFeed)
  expect(await wrong(answer(302, '', { location: 'https://example.com' }))).toMatch(noFeed)
  expect(await wrong((response) => void response.end('<html>Welcome</html>'))).toMatch(noFeed)
})

test('listen says how it is called, and what is wrong with an address or a secret', {
  timeout: LIMIT_MS,
}, async () => {
  const good = ['--key', 'the-key', '--forward', 'http://localhost:3000/hook']
  for (const args of [[], ['follow', ...good], ['listen'], ['listen', '--key', 'k'], ['listen', ...good, '--loud']])
    expect(await refusal(args), args.join(' ')).toMatch(/^Usage: npm run webhooks -- listen --key KEY --forward/)
  expect(await refusal(['listen', '--key', 'k', '--forward', 'localhost:3000'])).toMatch(/^--forward must be an http/)
  expect(await refusal(['listen', ...good, '--server', 'ftp://a'])).toMatch(/^--server must be an http/)
  const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 1).toString('base64')}`
  for (const secret of ['whsec_', 'hello', 'whsec_*', secretOf(23), secretOf(65)])
    expect(await refusal(['listen', ...good, '--secret', secret]), secret).toMatch(/^--secret must be whsec_ and/)
  for (const secret of [secretOf(24), secretOf(64)]) {
    const listener = run(['listen', ...good, '--secret', secret], { PLATEN_PORT: String(await freePort()) })
    await waitFor(() => expect(listener.output()).toContain(secret))
  }
})
