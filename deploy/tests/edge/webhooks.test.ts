/** `npm run webhooks -- listen` with failures of the feed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { freePort } from '@platen/test/harness/free-port.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { startWebhookReceiver, verify } from '@platen/test/harness/webhook-receiver.ts'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../commands/webhooks/listen.ts'

const MAIN = new URL('../../commands/webhooks/main.ts', import.meta.url).pathname
const SECRET = `whsec_${Buffer.alloc(24, 'secret').toString('base64')}`

/** Ends with the test. */
function startListening(server: string, forward: string, types: string[] = []) {
  const stopping = new AbortController()
  const lines: string[] = []
  const options = { server, key: 'the-key', forward: new URL(forward), types, secret: SECRET }
  const ended = listen(options, stopping.signal, (line) => lines.push(line))
  onTestFinished(() => {
    stopping.abort()
    return ended.catch(() => undefined)
  })
  return { output: () => lines.join('\n'), ended }
}

async function startReceiver() {
  const receiver = await startWebhookReceiver()
  onTestFinished(() => receiver.stop())
  return receiver
}

/** A server instead of Platen's that answers the requests for the feed one after the other, and the last without end. */
async function startFeed(answers: ((response: ServerResponse) => void)[]) {
  const requests: URLSearchParams[] = []
  const server = createServer(({ url = '', headers }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://feed')
    expect([pathname, headers.authorization]).toEqual(['/v1/events', 'Bearer the-key'])
    answers[Math.min(requests.push(searchParams), answers.length) - 1]?.(response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

const answer =
  (status: number, body: unknown, headers = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, headers).end(JSON.stringify(body))
const page = (nextCursor: string, ...data: object[]) => answer(200, { data, hasMore: false, nextCursor })
const failure = (status: number, code: string, message: string, headers = {}) =>
  answer(status, { error: { code, message, request_id: 'r' } }, headers)
const silence = () => undefined
const event = (id: string) => ({ id, type: 'printjob.done', data: { z: 1, a: 'ü', id: 'job' }, sequence: 5 })

test('each event is forwarded once and signed, also after 429, 5xx and a lost connection', async () => {
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
  const types = ['printjob.*', 'printer.added']
  const listener = startListening(feed.url, `${receiver.url}/hook?shop=1`, types)
  await waitFor(() => expect(listener.output()).toMatch(/printjob\.done three 204 \d+ ms/))
  await waitFor(() => expect(feed.requests).toHaveLength(7))

  const delivered = receiver.at('/hook?shop=1')
  expect(delivered.map(({ headers }) => headers['webhook-id'])).toEqual(['one', 'two', 'three'])
  for (const request of delivered) expect(verify(request, SECRET)).toEqual(event(request.headers['webhook-id'] ?? ''))
  expect(delivered[0]?.body).toBe(JSON.stringify(event('one')))
  for (const text of [SECRET, '503 service_unavailable: Try again.']) expect(listener.output()).toContain(text)
  expect(listener.output()).not.toContain('the-key')
  const cursors = ['now', 'at-the-start', ...Array(4).fill('behind-two'), 'behind-three']
  expect(feed.requests.map((request) => request.get('after'))).toEqual(cursors)
  expect(feed.requests.slice(0, 2).map((request) => request.get('wait'))).toEqual([null, '30'])
  for (const request of feed.requests) expect(request.getAll('type')).toEqual(types)
})

test('the outcome of each forward is shown, also if nothing listens at the address', async () => {
  const receiver = await startReceiver()
  receiver.answerBy(() => ({ status: 302, headers: { location: '/elsewhere' } }))
  for (const [forward, outcome] of [
    [`${receiver.url}/hook`, '302'],
    [`http://127.0.0.1:${await freePort()}`, 'ECONNREFUSED'],
  ] as const) {
    const feed = await startFeed([page('a'), page('b', event('one')), silence])
    const listener = startListening(feed.url, forward)
    await waitFor(() => expect(listener.output()).toMatch(new RegExp(`printjob\\.done one ${outcome} \\d+ ms`)))
    await waitFor(() => expect(feed.requests).toHaveLength(3))
  }
  expect(receiver.received).toHaveLength(1)
})

const NO_FEED = /has no event feed of Platen. Set --server to the address of the REST API/
test.each<[string, (response: ServerResponse) => void, RegExp]>([
  ['an unknown key', failure(401, 'unauthorized', 'Send a key.'), /This key does not exist at .* or was revoked/],
  ['a key without scope', failure(403, 'insufficient_scope', 'Use `read`.'), /403 insufficient_scope: Use `read`/],
  ['a wrong type', failure(400, 'invalid_request', '`type` is wrong.'), /400 invalid_request: `type` is wrong/],
  ['another server', answer(404, 'Not Found'), NO_FEED],
  ['a redirect', answer(302, '', { location: 'https://example.com' }), NO_FEED],
  ['a page of HTML', (response) => void response.end('<html>Welcome</html>'), NO_FEED],
])('%s ends it with one sentence', async (_, wrong, sentence) => {
  const { url } = await startFeed([wrong])
  await expect(startListening(url, 'http://127.0.0.1:9').ended).rejects.toThrow(sentence)
})

test('Ctrl-C ends the program at once, while it waits for events and while the server is away', async () => {
  const feed = await startFeed([page('a'), silence])
  for (const server of [feed.url, `http://127.0.0.1:${await freePort()}`]) {
    const args = [MAIN, 'listen', '--server', server, '--forward', 'http://127.0.0.1:9']
    const env = { ...process.env, PLATEN_KEY: 'the-key' }
    const program = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void program.kill('SIGKILL'))
    let output = ''
    program.stdout.on('data', (chunk: Buffer) => {
      output += chunk
    })
    const ended = once(program, 'exit')
    if (server === feed.url) await waitFor(() => expect(feed.requests).toHaveLength(2))
    else await waitFor(() => expect(output).toContain('Check that Platen is running there'))
    const since = performance.now()
    program.kill('SIGINT')
    expect(await ended).toEqual([0, null])
    expect(performance.now() - since).toBeLessThan(10_000)
  }
})
