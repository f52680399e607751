/** Connections to the service: proxies, configured authorities and error messages. */
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { getCACertificates } from 'node:tls'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { explain } from '../../transport/explain-error.ts'
import { type Route, request } from '../../transport/request.ts'
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
  const countRefusals = () => agent.readLog().match(/self-signed certificate|unable to verify/g)?.length ?? 0
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
  await waitFor(() => expect(agent.readLog()).toMatch(/self-signed certificate|unable to verify/))
  expect(service.getMessages('hello')).toEqual([])
  expect(agent.readLog()).not.toContain(CREDENTIAL)
})

const get = (url: string, route: Route) => request(new URL(url), route, { method: 'GET', timeoutMs: 20_000 })

test('an error is explained by a sentence with a solution', async () => {
  const port = await listen(createServer((_, answer) => void answer.end()))
  const startFront = (name: string, days?: number) => startTlsFront(`http://127.0.0.1:${port}`, name, days)
  const refusingProxy = await startProxy({ refuses: true })
  const { caFile } = getTestAuthority()
  const cases: [string, Route, RegExp][] = [
    [`https://127.0.0.1:${await startFront('127.0.0.1')}`, {}, /issued by an unknown authority.*--ca-file/],
    [`https://127.0.0.1:${await startFront('127.0.0.1', -1)}`, { caFile }, /has expired.*clock/],
    [`https://127.0.0.1:${await startFront('127.0.0.1', 90)}`, { caFile }, /is not valid yet.*clock/],
    [`https://127.0.0.1:${await startFront('other.test')}`, { caFile }, /certificate is not valid for 127\.0\.0\.1/],
    [`https://127.0.0.1:${port}`, {}, /does not use TLS on this port|http:\/\//],
    ['https://nowhere.invalid', {}, /^The host name nowhere\.invalid cannot be resolved|No DNS server responds/],
    ['http://127.0.0.1:1', {}, /^Nothing listens at 127\.0\.0\.1:1\. /],
    ['https://api.test', { proxy: refusingProxy.url }, /proxy refused.*CONNECT/],
  ]
  for (const [url, route, sentence] of cases) {
    const error = await get(url, route).catch((error: unknown) => error)
    expect(explain(error, new URL(url).host), url).toMatch(sentence)
  }
})
