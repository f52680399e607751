/** Connections to the service: proxies, own authorities, and sentences for failures. */
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { explain } from '../../network/explain-error.ts'
import { type Route, request } from '../../network/request.ts'
import { listen, startProxy } from '../connect-proxy.ts'
import { CREDENTIAL, useService } from '../scripted-service.ts'
import { startAgent } from '../start-agent.ts'
import { startTlsFront, testAuthority } from '../tls-front.ts'

const service = useService()

const portOf = (url: string) => new URL(url).port

test('the stream uses a proxy with a password, and documents come through it', async () => {
  const proxy = await startProxy({ user: 'till:p@ss' })
  const url = `http://agents.test:${portOf(service.url)}`
  const agent = startAgent({ url }, { proxy: proxy.url })
  await waitFor(() => expect(agent.logged()).toContain('"connected"'))
  const { jobId } = service.print()
  await waitFor(() => expect(agent.calls('release').map(({ token }) => token)).toEqual([jobId]))
  expect(new Set(proxy.asked)).toEqual(new Set([`agents.test:${portOf(service.url)}`]))
})

test('the stream uses TLS of the authority of caFile, with a proxy or without', async () => {
  const { caFile } = testAuthority()
  const port = await startTlsFront(service.url, 'agents.test')
  const proxy = await startProxy()
  startAgent({ url: `https://agents.test:${port}` }, { caFile, proxy: proxy.url })
  await waitFor(() => expect(service.heard('hello')).toHaveLength(1))
  expect(proxy.asked[0]).toBe(`agents.test:${port}`)
  startAgent({ url: `https://127.0.0.1:${await startTlsFront(service.url, '127.0.0.1')}` }, { caFile })
  await waitFor(() => expect(service.heard('hello')).toHaveLength(2))
})

test('an unknown authority gets no credential', async () => {
  const agent = startAgent({ url: `https://127.0.0.1:${await startTlsFront(service.url, '127.0.0.1')}` })
  await waitFor(() => expect(agent.logged()).toMatch(/self-signed certificate|unable to verify/))
  expect(service.heard('hello')).toEqual([])
  expect(agent.logged()).not.toContain(CREDENTIAL)
})

const get = (url: string, route: Route) => request(new URL(url), route, { method: 'GET', timeoutMs: 20_000 })

test('a failure becomes a sentence with what to do', async () => {
  const port = await listen(createServer((_, answer) => void answer.end()))
  const front = (name: string, days?: number) => startTlsFront(`http://127.0.0.1:${port}`, name, days)
  const refusing = await startProxy({ refuses: true })
  const { caFile } = testAuthority()
  const cases: [string, Route, RegExp][] = [
    [`https://127.0.0.1:${await front('127.0.0.1')}`, {}, /issued by an unknown authority.*--ca-file/],
    [`https://127.0.0.1:${await front('127.0.0.1', -1)}`, { caFile }, /has expired.*clock/],
    [`https://127.0.0.1:${await front('127.0.0.1', 90)}`, { caFile }, /is not valid yet.*clock/],
    [`https://127.0.0.1:${await front('other.test')}`, { caFile }, /certificate is not valid for 127\.0\.0\.1/],
    [`https://127.0.0.1:${port}`, {}, /does not use TLS on this port|http:\/\//],
    ['https://nowhere.invalid', {}, /^The host name nowhere\.invalid cannot be resolved|No DNS server responds/],
    ['http://127.0.0.1:1', {}, /^Nothing listens at 127\.0\.0\.1:1\. /],
    ['https://api.test', { proxy: refusing.url }, /proxy refused.*CONNECT/],
  ]
  for (const [url, route, sentence] of cases) {
    const error = await get(url, route).catch((error: unknown) => error)
    expect(explain(error, new URL(url).host), url).toMatch(sentence)
  }
})
