/** One attempt without its delivery: responses of receivers and the outcomes. */
import { allowedNetworks } from '@platen/runtime/fetch/allowed-networks.ts'
import { createKeepAlive } from '@platen/runtime/fetch/keep-alive.ts'
import { createPublicNetwork, type PublicNetworkOptions } from '@platen/runtime/fetch/public-network.ts'
import { UNRESERVED_PORTS } from '@platen/runtime/fetch/public-url.ts'
import { CERTIFICATE, CERTIFICATE_KEY } from '@platen/runtime/tests/certificate.ts'
import { realWait } from '@platen/test/harness/real-time.ts'
import { proves } from '@platen/test/harness/rules.ts'
import {
  type Answer,
  type ReceiverOptions,
  startWebhookReceiver,
  verify,
} from '@platen/test/harness/webhook-receiver.ts'
import { expect, onTestFinished, test } from 'vitest'
import { hideInside, type Outcome, send } from '../../delivery/send.ts'

const MESSAGE = { eventId: '01a1fc9c-9dfb-775d-b6df-49dad904f618', body: '{"title":"Rechnung für Łukasz ✓"}' }
const SECRET = `whsec_${Buffer.from('a'.repeat(24)).toString('base64')}`

async function startReceiver(options: ReceiverOptions = {}) {
  const receiver = await startWebhookReceiver(options)
  onTestFinished(() => receiver.stop())
  return receiver
}

async function attempt(
  url: string,
  {
    mode = 'test',
    timeoutMs = 15_000,
    ...options
  }: Partial<PublicNetworkOptions> & { mode?: string; timeoutMs?: number } = {},
): Promise<Outcome> {
  const network = createPublicNetwork({
    allowed: allowedNetworks.parse('127.0.0.0/8'),
    ports: UNRESERVED_PORTS,
    ...options,
  })
  const keepAlive = createKeepAlive(network)
  onTestFinished(() => keepAlive.close())
  const { signal } = new AbortController()
  return await send(
    { keepAlive, network, now: () => new Date(), timeoutMs, signal },
    { mode, url, secrets: [SECRET] },
    MESSAGE,
  )
}

test('a request has the id, the time and the signature of Standard Webhooks; any 2xx is success', async () => {
  proves(
    'delivery.signature',
    'webhook-header.webhook-id',
    'webhook-header.webhook-timestamp',
    'webhook-header.webhook-signature',
    'attempt.2xx',
  )
  const receiver = await startReceiver({ script: () => ({ status: 299, body: 'thank you' }) })
  const outcome = await attempt(`${receiver.url}/hook?token=1`)
  expect(outcome).toMatchObject({ statusCode: 299, errorClass: null, response: 'thank you' })
  const [request] = receiver.received
  if (!request) throw new Error('no request')
  expect(request).toMatchObject({ path: '/hook?token=1', body: MESSAGE.body })
  expect(request.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': MESSAGE.eventId,
    'webhook-timestamp': String(Math.floor(outcome.at.getTime() / 1000)),
    'user-agent': expect.stringMatching(/^Platen-Webhooks\/\d/),
  })
  expect(verify(request, SECRET)).toEqual(JSON.parse(MESSAGE.body))
})

test.each<[string, Answer, Partial<Outcome>]>([
  ['answers 400', { status: 400, body: 'no' }, { statusCode: 400, errorClass: 'status', response: 'no' }],
  ['answers 410', 410, { statusCode: 410, errorClass: 'status', isGone: true }],
  ['answers 503', 503, { statusCode: 503, errorClass: 'status', isGone: false, isThrottled: false }],
  [
    'answers 503 with `Retry-After`, which throttles',
    { status: 503, headers: { 'retry-after': '2' } },
    { statusCode: 503, isThrottled: true, retryAfterMs: 2_000 },
  ],
  [
    'answers 503 with an invalid `Retry-After`',
    { status: 503, headers: { 'retry-after': 'soon' } },
    { isThrottled: false },
  ],
  ['answers 429, which throttles', 429, { statusCode: 429, errorClass: 'status', isThrottled: true }],
  [
    'redirects, which is not followed',
    { status: 307, headers: { location: '/other' } },
    { statusCode: 307, errorClass: 'redirect' },
  ],
  ['closes the connection', 'close', { statusCode: null, errorClass: 'connect', response: null }],
  ['does not answer in time', 'never', { statusCode: null, errorClass: 'timeout', response: null }],
])('an attempt fails by one request if the receiver %s', async (_, answer, outcome) => {
  proves(
    'attempt.4xx',
    'attempt.errorClass.status',
    'attempt.redirect',
    'attempt.errorClass.redirect',
    'attempt.errorClass.timeout',
  )
  const receiver = await startReceiver({ script: () => answer })
  expect(await attempt(receiver.url, { timeoutMs: answer === 'never' ? 500 : 15_000 })).toMatchObject(outcome)
  expect(receiver.received).toHaveLength(1)
})

test.each<[string, string, Parameters<typeof attempt>[1], string]>([
  ['has a private address', 'http://127.0.0.1:8/', { allowed: [] }, 'blocked_address'],
  ['does not resolve', 'http://nowhere.example/', { resolve: async () => [] }, 'dns'],
  ['has no TLS in live mode', 'http://127.0.0.1:8/', { mode: 'live' }, 'blocked_address'],
  ['refuses the connection', 'http://127.0.0.1:8/', {}, 'connect'],
])('an attempt fails without a request if the host %s', async (_, url, options, errorClass) => {
  proves('attempt.errorClass.blocked_address', 'attempt.errorClass.dns', 'attempt.errorClass.connect')
  expect(await attempt(url, options)).toMatchObject({ statusCode: null, errorClass })
})

test('an attempt fails without a request if the certificate is not trusted', async () => {
  proves('attempt.errorClass.tls')
  const receiver = await startReceiver({ tls: { key: CERTIFICATE_KEY, cert: CERTIFICATE } })
  expect(await attempt(receiver.url, { mode: 'live' })).toMatchObject({ statusCode: null, errorClass: 'tls' })
  expect(receiver.received).toEqual([])
})

test('a receiver that answers shortly before the timeout has received, and one that has not answered by then has not', async () => {
  proves('attempt.timeout.14s', 'attempt.timeout.15s')
  const receiver = await startReceiver({
    async script({ path }) {
      await realWait('a server is slow')
      return path === '/in-time' ? 200 : 'never'
    },
  })
  const [inTime, late] = await Promise.all(
    ['/in-time', '/late'].map((path) => attempt(receiver.url + path, { timeoutMs: 3_000 })),
  )
  expect(inTime).toMatchObject({ statusCode: 200, errorClass: null })
  expect(late).toMatchObject({ statusCode: null, errorClass: 'timeout' })
  expect(late?.durationMs).toBeGreaterThanOrEqual(2_990)
  expect(late?.durationMs).toBeLessThan(9_000)
})

test('nothing of an allowed network is shown but success or failure, and a public receiver is shown', async () => {
  proves('attempt.allowed-network')
  const answers: Answer[] = [{ status: 200, body: 'secret' }, { status: 404, body: 'secret' }, 'close', 'never', 307]
  const receiver = await startReceiver({ script: ({ path }) => answers[Number(path.slice(1))] ?? 200 })
  const attemptAt = (n: number) => attempt(`${receiver.url}/${n}`, { timeoutMs: 500 })
  const outcomes = [...(await Promise.all(answers.map((_, n) => attemptAt(n)))), await attempt('http://127.0.0.1:8/')]
  const [success, ...failures] = outcomes.map(hideInside)
  expect(success).toEqual({ statusCode: 200, errorClass: null, response: null })
  for (const failure of failures) expect(failure).toEqual({ statusCode: null, errorClass: 'connect', response: null })
  const [, notFound] = outcomes
  const shown = { statusCode: 404, errorClass: 'status', response: 'secret' }
  expect(notFound && hideInside({ ...notFound, isInside: false })).toEqual(shown)
})
