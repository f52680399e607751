import { randomUUID } from 'node:crypto'
import type { ApiError } from '@platen/runtime/errors.ts'
import { expect, test } from 'vitest'
import { startTestWebhooks } from './start-test-webhooks.ts'

const HOSTS: Record<string, string[]> = {
  'hooks.example.com': ['93.184.216.34'],
  'inside.example.com': ['10.0.0.7'],
  'both.example.com': ['93.184.216.34', '127.0.0.1'],
}

/** Nothing but public addresses is allowed, and DNS knows those hosts. */
async function startPublic() {
  const resolve = async (host: string) => HOSTS[host] ?? []
  const { endpoints } = await startTestWebhooks({ network: { allowed: [], resolve } })
  const organizationId = randomUUID()
  const outcome = (call: Promise<unknown>) =>
    call.then(
      () => 'ok',
      (error: unknown) => {
        const { code, message } = error as ApiError
        return `${code} ${message}`
      },
    )
  return {
    endpoints,
    create: (mode: string, url: string) =>
      outcome(endpoints.createEndpoint({ organizationId, mode, url, events: ['printjob.done'] })),
    async change(mode: string, url: string) {
      const good = { organizationId, mode, url: 'https://hooks.example.com/', events: ['printjob.done'] }
      const { endpoint } = await endpoints.createEndpoint(good)
      const told = await outcome(endpoints.updateEndpoint({ organizationId, mode, endpointId: endpoint?.id, url }))
      const after = await endpoints.getEndpoint({ organizationId, mode, endpointId: endpoint?.id })
      expect(after.endpoint?.url).toBe(told === 'ok' ? url : good.url)
      await endpoints.deleteEndpoint({ organizationId, mode, endpointId: endpoint?.id })
      return told
    },
  }
}

const path = (length: number) => 'https://hooks.example.com/'.padEnd(length, 'x')

test.each([
  ['live', 'https://hooks.example.com/in?token=1#x'],
  ['live', 'https://hooks.example.com:8443/'],
  ['live', 'https://93.184.216.34/'],
  ['live', 'HTTPS://HOOKS.EXAMPLE.COM'],
  ['live', 'https://[2606:2800:220:1:248:1893:25c8:1946]/'],
  ['test', 'http://hooks.example.com/'],
  ['test', 'http://hooks.example.com:3000/'],
  ['test', 'https://hooks.example.com/'],
  ['live', path(2048)],
])('in %s mode an endpoint may be at %s', async (mode, url) => {
  const { create, change } = await startPublic()
  expect(await create(mode, url)).toBe('ok')
  expect(await change(mode, url)).toBe('ok')
})

const INVALID_REQUEST = /^invalid_request `url`: the URL must /

test.each([
  ['', INVALID_REQUEST],
  ['hooks.example.com', INVALID_REQUEST],
  ['ftp://hooks.example.com/', INVALID_REQUEST],
  ['javascript:alert(1)', INVALID_REQUEST],
  ['https:/hooks.example.com', INVALID_REQUEST],
  ['https://', INVALID_REQUEST],
  ['https://hooks.example.com:99999/', INVALID_REQUEST],
  ['https://hooks.example.com/a b', INVALID_REQUEST],
  [path(2049), INVALID_REQUEST],
  ['https://user:secret@hooks.example.com/', /^invalid_url `url`: the URL must not contain a user name or password/],
  ['https://@hooks.example.com/', /^invalid_url /],
  ['https://10.0.0.7/', /^invalid_url `url`: the URL must have a host with a public address/],
  ['https://127.0.0.1/', /^invalid_url /],
  ['https://[::1]/', /^invalid_url /],
  ['https://[::ffff:127.0.0.1]/', /^invalid_url /],
  ['https://0x7f000001/', /^invalid_url /],
  ['https://2130706433/', /^invalid_url /],
  ['https://169.254.169.254/latest/meta-data', /^invalid_url /],
  ['https://inside.example.com/', /^invalid_url /],
  ['https://both.example.com/', /^invalid_url /],
  ['https://unknown.example.com/', /^invalid_url `url`: the URL must have a host with a public address/],
  ['https://localhost/', /^invalid_url /],
])('no endpoint may be at %s', async (url, told) => {
  const { create, change } = await startPublic()
  for (const mode of ['live', 'test']) {
    expect(await create(mode, url)).toMatch(told)
    expect(await change(mode, url)).toMatch(told)
  }
})

test('a live endpoint needs https', async () => {
  const { create, change } = await startPublic()
  const told = /^invalid_url `url`: in live mode the URL must begin with https/
  expect(await create('live', 'http://hooks.example.com/')).toMatch(told)
  expect(await change('live', 'http://hooks.example.com/')).toMatch(told)
})

test('a host whose name servers never answer is refused within some seconds', async () => {
  const resolve = (_: string, signal: AbortSignal) =>
    new Promise<string[]>((done) => signal.addEventListener('abort', () => done([])))
  const { endpoints } = await startTestWebhooks({ network: { resolve } })
  const url = 'https://slow.example.com/'
  const request = { organizationId: randomUUID(), mode: 'live', url, events: ['printjob.done'] }
  // More than the usual 5 s, which leave a stalled process one second after the look-up was given up.
  const call = endpoints.createEndpoint(request, { timeoutMs: 20_000 })
  await expect(call).rejects.toMatchObject({ code: 'invalid_url', message: expect.stringContaining('public address') })
})
