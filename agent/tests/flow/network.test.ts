/** The ways to the service: proxies, authorities of one's own, and what a person is told when there is no way. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { explain } from '../../network/explain.ts'
import { proxyFor } from '../../network/proxy.ts'
import { type Route, request } from '../../network/request.ts'
import { startProxy } from '../connect-proxy.ts'
import { CREDENTIAL, type ScriptedService, startScriptedService } from '../scripted-service.ts'
import { startAgent } from '../start-agent.ts'
import { makeAuthority, startTlsFront } from '../tls-front.ts'

let service: ScriptedService

beforeEach(async () => {
  service = await startScriptedService()
  return () => service.stop()
})

const portOf = (url: string) => new URL(url).port

test.each([
  ['https://print.example', { HTTPS_PROXY: 'http://proxy:3128' }, 'http://proxy:3128/'],
  ['https://print.example', { https_proxy: 'proxy:3128', HTTPS_PROXY: 'http://other:1' }, 'http://proxy:3128/'],
  ['https://print.example', { HTTP_PROXY: 'http://proxy:3128' }, undefined],
  ['http://print.example', { HTTP_PROXY: 'http://proxy:3128' }, 'http://proxy:3128/'],
  ['http://print.example', { HTTPS_PROXY: 'http://proxy:3128' }, undefined],
  ['http://localhost:8090', { HTTP_PROXY: 'http://proxy:3128' }, undefined],
  ['http://127.0.0.1:8090', { HTTP_PROXY: 'http://proxy:3128' }, undefined],
  ['http://[::1]:8090', { HTTP_PROXY: 'http://proxy:3128' }, undefined],
])('the way to %s with %j is %s', (target, env, expected) => {
  expect(proxyFor(new URL(target), undefined, env as NodeJS.ProcessEnv)?.href).toBe(expected)
})

test.each([
  ['print.example', 'print.example', true],
  ['print.example', 'example', true],
  ['print.example', '.example', true],
  ['print.example', '*.example', true],
  ['print.example', '*', true],
  ['print.example', ' other , print.example', true],
  ['print.example', 'print.example:443', true],
  ['print.example', 'print.example:8443', false],
  ['myprint.example', 'print.example', false],
  ['print.example', '', false],
  ['print.example', ',', false],
  ['10.1.2.3', '10.0.0.0/8', true],
  ['11.1.2.3', '10.0.0.0/8', false],
  ['10.1.2.3', '10.1.2.3', true],
  ['10.1.2.3', '2.3', false],
  ['10.1.2.3', '10.0.0.0/99', false],
  ['[fd12::1]', 'fd12::/16', true],
  ['[fd12::1]', 'fd12::1', true],
])('%s is excepted by NO_PROXY "%s": %s', (host, NO_PROXY, isExcepted) => {
  const env = { HTTPS_PROXY: 'http://proxy:3128', NO_PROXY }
  expect(proxyFor(new URL(`https://${host}`), undefined, env) === undefined).toBe(isExcepted)
})

test('the proxy of agent.json wins over the environment, and over its exceptions', () => {
  const env = { HTTPS_PROXY: 'http://other:1', NO_PROXY: '*' }
  const target = new URL('https://print.example')
  expect(proxyFor(target, 'http://proxy:3128', env)?.host).toBe('proxy:3128')
  expect(proxyFor(target, 'none', { HTTPS_PROXY: 'http://other:1' })).toBeUndefined()
})

test.each(['socks5://proxy:1080', 'https://proxy:3128', 'http://proxy/path', 'http://'])('%s is no proxy', (text) => {
  expect(() => proxyFor(new URL('https://print.example'), undefined, { HTTPS_PROXY: text })).toThrow(
    'HTTPS_PROXY must be a proxy such as http://proxy.example:3128.',
  )
})

test('the stream goes through a proxy that asks for a password, and prints', async () => {
  const proxy = await startProxy({ user: 'till:p@ss' })
  const url = `http://agents.test:${portOf(service.url)}`
  const agent = startAgent({ url }, { proxy: proxy.url })
  await waitFor(() => expect(agent.logged()).toContain('"connected"'))
  const { jobId } = service.print()
  await waitFor(() => expect(agent.calls('release').map(({ token }) => token)).toEqual([jobId]))
  expect(new Set(proxy.asked)).toEqual(new Set([`agents.test:${portOf(service.url)}`]))
})

test('the stream goes through TLS of an authority that is named, with a proxy in between or not', async () => {
  const authority = makeAuthority()
  const port = await startTlsFront(service.url, authority.issue('agents.test'))
  const proxy = await startProxy()
  startAgent({ url: `https://agents.test:${port}` }, { caFile: authority.caFile, proxy: proxy.url })
  await waitFor(() => expect(service.heard('hello')).toHaveLength(1))
  expect(proxy.asked[0]).toBe(`agents.test:${port}`)

  const direct = await startTlsFront(service.url, authority.issue('127.0.0.1'))
  startAgent({ url: `https://127.0.0.1:${direct}` }, { caFile: authority.caFile })
  await waitFor(() => expect(service.heard('hello')).toHaveLength(2))
})

test('an authority that is not known gets no credential', async () => {
  const port = await startTlsFront(service.url, makeAuthority().issue('127.0.0.1'))
  const agent = startAgent({ url: `https://127.0.0.1:${port}` })
  await waitFor(() => expect(agent.logged()).toMatch(/self-signed certificate|unable to verify/))
  expect(service.heard('hello')).toEqual([])
  expect(agent.logged()).not.toContain(CREDENTIAL)
})

/** An HTTP server that says who asked for what. */
async function startHttp(): Promise<number> {
  const server = createServer((incoming, answer) => void answer.end(`${incoming.method} ${incoming.url}`))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

const get = (url: string, route: Route) => request(new URL(url), route, { method: 'GET', withinMs: 20_000 })

test('requests go by the same ways as the stream', async () => {
  const port = await startHttp()
  const authority = makeAuthority()
  const secure = await startTlsFront(`http://127.0.0.1:${port}`, authority.issue('api.test'))
  const proxy = await startProxy({ user: 'till:pass' })
  expect((await get(`http://127.0.0.1:${port}/a`, {})).body).toBe('GET /a')
  expect((await get(`http://api.test:${port}/b`, { proxy: proxy.url })).body).toBe('GET /b')
  const route = { proxy: proxy.url, caFile: authority.caFile }
  expect((await get(`https://api.test:${secure}/c`, route)).body).toBe('GET /c')
  expect(proxy.asked.at(-1)).toBe(`api.test:${secure}`)
})

test('what went wrong is told in a sentence that says what to do', async () => {
  const port = await startHttp()
  const authority = makeAuthority()
  const front = async (name: string, days?: number) =>
    await startTlsFront(`http://127.0.0.1:${port}`, authority.issue(name, days))
  const refusing = await startProxy({ refuses: true })
  const silent = await startHttp()
  const { caFile } = authority
  const cases: [string, Route, RegExp][] = [
    [`https://127.0.0.1:${await front('127.0.0.1')}`, {}, /authority that this computer does not know.*--ca-file/],
    [`https://127.0.0.1:${await front('127.0.0.1', -1)}`, { caFile }, /has expired.*clock/],
    [`https://127.0.0.1:${await front('127.0.0.1', 90)}`, { caFile }, /is not valid yet.*clock/],
    [`https://127.0.0.1:${await front('other.test')}`, { caFile }, /certificate is not for 127\.0\.0\.1/],
    [`https://127.0.0.1:${silent}`, {}, /does not speak TLS at this port|http:\/\//],
    ['https://nowhere.invalid', {}, /^The name nowhere\.invalid is not known|No DNS server answers/],
    ['http://127.0.0.1:1', {}, /^Nothing listens at 127\.0\.0\.1:1\. /],
    ['https://api.test', { proxy: refusing.url }, /proxy refuses.*CONNECT/],
  ]
  for (const [url, route, sentence] of cases) {
    const error = await get(url, route).catch((error: unknown) => error)
    expect(explain(error, new URL(url).host), url).toMatch(sentence)
  }
})
