import { FetchFailure } from '@platen/runtime/fetch/failure.ts'
import { createPublicNetwork } from '@platen/runtime/fetch/public-network.ts'
import { UNRESERVED_PORTS } from '@platen/runtime/fetch/public-url.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { checkUrl } from '../../check-url.ts'

const HOSTS: Record<string, string[]> = {
  'hooks.example.com': ['93.184.216.34'],
  'inside.example.com': ['10.0.0.7'],
  'both.example.com': ['93.184.216.34', '127.0.0.1'],
}
const network = createPublicNetwork({
  allowed: [],
  ports: UNRESERVED_PORTS,
  resolve: async (host) => HOSTS[host] ?? [],
})

const check = (mode: string, url: string) =>
  checkUrl(network, url, mode).then(
    () => 'ok',
    ({ code, message }) => `${code} ${message}`,
  )

const path = (length: number) => 'https://hooks.example.com/'.padEnd(length, 'x')

test.each<[mode: string, url: string, ...ids: string[]]>([
  ['live', 'https://hooks.example.com/in?token=1#x'],
  ['live', 'https://hooks.example.com:8443/', 'webhook.url.live-https'],
  ['live', 'https://93.184.216.34/'],
  ['live', 'HTTPS://HOOKS.EXAMPLE.COM'],
  ['live', 'https://[2606:2800:220:1:248:1893:25c8:1946]/'],
  ['test', 'http://hooks.example.com/', 'webhook.url.test-http'],
  ['test', 'http://hooks.example.com:3000/'],
  ['test', 'https://hooks.example.com/'],
])('a %s endpoint can have the URL %s', async (mode, url, ...ids) => {
  proves(...ids)
  expect(await check(mode, url)).toBe('ok')
})

test('the URL of an endpoint has at most 2048 characters', async () => {
  proves('webhook.url.2048')
  expect(await check('live', path(2048))).toBe('ok')
  expect(await check('live', path(2049))).toMatch(/^invalid_request /)
})

const FORM = /^invalid_request `url`: must /
const PRIVATE = /^invalid_url `url`: the host does not resolve to a public address\. Check the name\./
const PRIVATE_ADDRESS = /^invalid_url `url`: the address of the host is not public\. The operator/
test.each<[url: string, refusal: RegExp, ...ids: string[]]>([
  ['', FORM],
  ['hooks.example.com', FORM, 'webhook.url.no-url'],
  ['ftp://hooks.example.com/', FORM, 'webhook.url.no-url'],
  [
    'https://user:secret@hooks.example.com/',
    /^invalid_url `url`: must not contain a user name or password/,
    'webhook.url.user-info',
  ],
  ['https://@hooks.example.com/', /^invalid_url /],
  ['https://10.0.0.7/', PRIVATE_ADDRESS, 'webhook.url.private'],
  ['https://127.0.0.1/', PRIVATE_ADDRESS],
  ['https://169.254.169.254/latest/meta-data', PRIVATE_ADDRESS],
  ['https://inside.example.com/', PRIVATE, 'webhook.url.private'],
  ['https://both.example.com/', PRIVATE],
  ['https://unknown.example.com/', PRIVATE, 'webhook.url.unresolvable'],
])('no endpoint can have the URL %s: %s', async (url, refusal, ...ids) => {
  proves(...ids)
  for (const mode of ['live', 'test']) expect(await check(mode, url)).toMatch(refusal)
})

test('a live endpoint requires https', async () => {
  proves('webhook.url.live-http')
  const refusal = /^invalid_url `url`: must begin with `https` in live mode/
  expect(await check('live', 'http://hooks.example.com/')).toMatch(refusal)
})

test.each([22, 25, 6379, 5432, 10080])('no endpoint can have the port %i of another protocol', async (port) => {
  proves('webhook.url.bad-port')
  const refusal = /^invalid_url `url`: must not have a port of another protocol/
  expect(await check('live', `https://hooks.example.com:${port}/`)).toMatch(refusal)
  expect(await check('live', `https://hooks.example.com:${port + 1_000}/`)).toBe('ok')
})

test('a URL whose name servers do not answer within the 5 s of a call is a 503', async () => {
  proves('webhook.url.dns-failed')
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
  onTestFinished(() => timeout.mockRestore())
  const silent = createPublicNetwork({
    allowed: [],
    resolve: async (_, signal) => {
      if (signal.aborted) throw new FetchFailure('dns_failed')
      return []
    },
  })
  await expect(checkUrl(silent, 'https://slow.example.com/', 'live')).rejects.toThrow(
    expect.objectContaining({ code: 'service_unavailable' }),
  )
  expect(timeout.mock.calls).toEqual([[4_000]])
})
