/** Connections to the service: proxies, configured authorities and error messages. */
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { getCACertificates } from 'node:tls'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { examineStream } from '../../doctor/stream.ts'
import { askStatus, getStatusAddress } from '../../status/ask-status.ts'
import { explain } from '../../transport/explain-error.ts'
import { type Route, request } from '../../transport/request.ts'
import { startBox } from '../box.ts'
import { listen, startProxy } from '../connect-proxy.ts'
import { CREDENTIAL, useService } from '../scripted-service.ts'
import { makeDataDir, startAgent } from '../start-agent.ts'
import { getTestAuthority, startTlsFront } from '../tls-front.ts'

const service = useService()

const getPort = (url: string) => new URL(url).port

test('the stream and the documents use a proxy with a password', async () => {
  const proxy = await startProxy({ user: 'till:p@ss' })
  const url = `http://agents.test:${getPort(service.url)}`
  const agent = startAgent({ url }, { proxy: proxy.url })
  await waitFor(() => expect(agent.readLog()).toContain('"connected"'))
  const { jobId } = service.print()
  await waitFor(() => expect(agent.calls('release').map(({ token }) => token)).toEqual([jobId]))
  expect(new Set(proxy.requests)).toEqual(new Set([`agents.test:${getPort(service.url)}`]))
})

test('the stream trusts the authority of caFile, with and without a proxy', async () => {
  const { caFile } = getTestAuthority()
  const port = await startTlsFront(service.url, 'agents.test')
  const proxy = await startProxy()
  startAgent({ url: `https://agents.test:${port}` }, { caFile, proxy: proxy.url })
  await waitFor(() => expect(service.getMessages('hello')).toHaveLength(1))
  expect(proxy.requests[0]).toBe(`agents.test:${port}`)
  startAgent({ url: `https://127.0.0.1:${await startTlsFront(service.url, '127.0.0.1')}` }, { caFile })
  await waitFor(() => expect(service.getMessages('hello')).toHaveLength(2))
})

test('a running agent trusts the authority that its caFile has now, and keeps the former one while the file is being replaced', async () => {
  proves('agent.ca-file.replaced')
  const caFile = join(makeDataDir(), 'ca.pem')
  writeFileSync(caFile, getCACertificates('bundled')[0] ?? '')
  const agent = startAgent({ url: `https://127.0.0.1:${await startTlsFront(service.url, '127.0.0.1')}` }, { caFile })
  const countRefusals = () => agent.readLog().match(/issued by an unknown authority/g)?.length ?? 0
  await waitFor(() => expect(countRefusals()).toBeGreaterThan(0))
  const pem = readFileSync(getTestAuthority().caFile)
  writeFileSync(caFile, pem.subarray(0, pem.length / 2))
  const refusals = countRefusals()
  await waitFor(() => expect(countRefusals()).toBeGreaterThan(refusals + 1))
  expect(service.getMessages('hello')).toEqual([])
  writeFileSync(caFile, pem)
  await waitFor(() => expect(service.getMessages('hello')).toHaveLength(1))
})

test('a server of an unknown authority receives no credential', async () => {
  const agent = startAgent({ url: `https://127.0.0.1:${await startTlsFront(service.url, '127.0.0.1')}` })
  await waitFor(() => expect(agent.readLog()).toContain('issued by an unknown authority'))
  expect(service.getMessages('hello')).toEqual([])
  expect(agent.readLog()).not.toContain(CREDENTIAL)
})

const get = (url: string, route: Route) => request(new URL(url), route, { method: 'GET', timeoutMs: 20_000 })

test('an error is explained by a sentence with a solution', async () => {
  const port = await listen(createServer((_, answer) => void answer.end()))
  const startFront = (name: string, days?: number) => startTlsFront(`http://127.0.0.1:${port}`, name, days)
  const refusingProxy = await startProxy({ refuses: 403 })
  const { caFile } = getTestAuthority()
  const cases: [string, Route, RegExp][] = [
    [`https://127.0.0.1:${await startFront('127.0.0.1')}`, {}, /issued by an unknown authority.*--ca-file/],
    [`https://127.0.0.1:${await startFront('127.0.0.1', -1)}`, { caFile }, /has expired.*clock/],
    [`https://127.0.0.1:${await startFront('127.0.0.1', 90)}`, { caFile }, /is not valid yet.*clock/],
    [`https://127.0.0.1:${await startFront('other.test')}`, { caFile }, /certificate is not valid for 127\.0\.0\.1/],
    [`https://127.0.0.1:${port}`, {}, /does not use TLS on this port|http:\/\//],
    ['https://nowhere.invalid', {}, /^The host name nowhere\.invalid cannot be resolved|No DNS server responds/],
    ['http://127.0.0.1:1', {}, /^Nothing listens at 127\.0\.0\.1:1\. /],
    [
      'https://api.test',
      { proxy: refusingProxy.url },
      /^The proxy 127\.0\.0\.1:\d+ refuses the connection to api\.test with HTTP status 403\. .*CONNECT/,
    ],
  ]
  for (const [url, route, sentence] of cases) {
    const error = await get(url, route).catch((error: unknown) => error)
    expect(explain(error, new URL(url).host), url).toMatch(sentence)
  }
})

/** Never answers. */
const startSilent = async () => `127.0.0.1:${await listen(createTcpServer())}`

const startSilentProxy = async () => ({ url: 'http://agents.test', proxy: `http://${await startSilent()}` })

test.each<[string, () => Promise<{ url: string; proxy?: string }>, RegExp]>([
  [
    'a proxy that requires a password',
    async () => ({ url: 'http://agents.test', proxy: `http://${(await startProxy({ user: 'a:b' })).host}` }),
    /^The proxy \S+ requires a password \(HTTP status 407\)\. Write it into /,
  ],
  [
    'a proxy that refuses the password',
    async () => ({ url: 'https://agents.test', proxy: `http://a:c@${(await startProxy({ user: 'a:b' })).host}` }),
    /^The proxy 127\.0\.0\.1:\d+ refuses the user and the password/,
  ],
  [
    'a proxy that forbids the port',
    async () => ({ url: 'https://agents.test:8090', proxy: (await startProxy({ refuses: 403 })).url }),
    /^The proxy \S+ refuses the connection to agents\.test:8090 with HTTP status 403\. .* permit CONNECT/,
  ],
  [
    'a proxy that does not reach the service',
    async () => ({ url: 'https://agents.test', proxy: (await startProxy({ refuses: 502 })).url }),
    /^The proxy \S+ refuses .* HTTP status 502\. It does not reach the service\.$/,
  ],
  [
    'a proxy that does not run',
    async () => ({ url: 'http://agents.test', proxy: 'http://127.0.0.1:1' }),
    /^The proxy 127\.0\.0\.1:1 is not reachable \(ECONNREFUSED\)/,
  ],
  ['a proxy that does not answer', startSilentProxy, /^The proxy \S+ is not reachable \(ETIMEDOUT\)/],
  [
    'a port where nothing listens',
    async () => ({ url: 'http://127.0.0.1:1' }),
    /^Nothing listens at 127\.0\.0\.1:1\. /,
  ],
  ['an unknown name', async () => ({ url: 'http://nowhere.invalid' }), /^The host name nowhere\.invalid cannot/],
  [
    'a server without TLS',
    async () => ({ url: service.url.replace('http:', 'https:') }),
    /^127\.0\.0\.1:\d+ does not use TLS on this port\./,
  ],
  [
    'a server that ends no TLS handshake',
    async () => ({ url: `https://${await startSilent()}` }),
    /^\S+ accepts connections, but the TLS handshake is not answered\. .* large packets: set a smaller MTU/,
  ],
  [
    'a server that sends no Welcome',
    async () => ({ url: `http://${await startSilent()}` }),
    /^The service at \S+ does not answer on an open connection\. .* large packets/,
  ],
  [
    'a server without HTTP/2',
    async () => ({ url: `http://127.0.0.1:${await listen(createServer((_, answer) => void answer.end()))}` }),
    /^127\.0\.0\.1:\d+ accepts connections, but does not speak HTTP\/2 on them\. /,
  ],
])('%s is named by the log of the agent and by its status', async (_, start, sentence) => {
  proves('agent.proxy.named')
  const [{ url, proxy }, dataDir] = [await start(), makeDataDir()]
  const options = { dataDir, proxy, statusAddress: getStatusAddress(dataDir), timings: { welcomeTimeoutMs: 300 } }
  const agent = startAgent({ url }, options)
  const reason = await waitFor(async () => {
    const { reason = '' } = (await askStatus(dataDir))?.connection ?? {}
    expect(reason).toMatch(sentence)
    return reason
  })
  expect(agent.readLog()).toContain(JSON.stringify(reason))
  expect(agent.readLog()).not.toMatch(/undefined|Last error|Resolution note/)
})

test('an IPv6 address is in brackets in CONNECT', async () => {
  const proxy = await startProxy()
  const agent = startAgent({ url: `http://[::1]:${getPort(service.url)}` }, { proxy: proxy.url })
  await waitFor(() => expect(agent.readLog()).toContain('"connected"'))
  expect(proxy.requests[0]).toBe(`[::1]:${getPort(service.url)}`)
})

test.each(['toService', 'toAgent'] as const)(
  'the doctor says that large packets %s are lost, if small ones arrive',
  async (direction) => {
    proves('agent.doctor.large-packets')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const box = await startBox(service.url)
    const examine = () => examineStream({ agentUrl: box.url, credential: CREDENTIAL, spooler: 'virtual' })
    expect(await examine()).toMatchObject([{ isOk: true }])
    box.largest[direction] = 1_200
    const examining = examine()
    await waitFor(() => expect(box.packetsLost).toBeGreaterThan(0))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await examining).toMatchObject([
      { isOk: false, result: expect.stringMatching(/^Small messages reach \S+, .* 8 KiB\. .* smaller MTU/) },
    ])
  },
)
