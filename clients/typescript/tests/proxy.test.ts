/** Proxies of the environment. Each client keeps the rules of `proxies.json`. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { listen, startProxy } from '@platen/agent/tests/connect-proxy.ts'
import { getTestAuthority, startTlsFront } from '@platen/agent/tests/tls-front.ts'
import { expect, test } from 'vitest'
import { findProxy } from '../src/proxy.ts'

interface Rule {
  rule: string
  target: string
  env: Record<string, string>
  proxy?: { url: string; variable: string; credential?: string } | null
  error?: string
}

const RULES: Rule[] = JSON.parse(readFileSync(join(import.meta.dirname, '../../conformance/proxies.json'), 'utf8'))
const MAIN = new URL('../src/main.ts', import.meta.url).href
const HOST = 'print.example.test'

test.each(RULES.map((one) => [one.rule, one] as const))('%s', (_, { target, env, proxy, error }) => {
  const find = () => findProxy(new URL(target), env)
  if (error !== undefined) {
    expect(find).toThrow(error)
    expect(find).not.toThrow('secret')
    return
  }
  const found = find()
  if (!proxy) return expect(found).toBeUndefined()
  const { url, variable, credential } = proxy
  // A URL has no port that is that of its scheme.
  expect(found?.url.href).toBe(new URL(url).href)
  const encoded = credential && `Basic ${Buffer.from(credential).toString('base64')}`
  expect([found?.variable, found?.authorization]).toEqual([variable, encoded])
})

/** A service that answers with the path of the request. @returns its port. */
async function startService(): Promise<number> {
  return await listen(
    createServer((request, response) => {
      const body = JSON.stringify({ data: [request.url], hasMore: false, nextCursor: null })
      request.resume().once('end', () => response.setHeader('content-type', 'application/json').end(body))
    }),
  )
}

/** Runs a program with the library in a process of its own, because its environment is that of the process. */
async function run(program: string, env: Record<string, string>): Promise<string> {
  const text = `import { Platen } from '${MAIN}'
const platen = new Platen({ apiKey: 'platen_test_proxy', baseUrl: process.env.BASE_URL, maxRetries: 0 })
${program}`
  const args = ['--no-warnings', '--input-type=module', '--eval', text]
  const clean = Object.entries(process.env).filter(([name]) => !/_proxy$/i.test(name))
  return (await promisify(execFile)(process.execPath, args, { env: { ...Object.fromEntries(clean), ...env } })).stdout
}

const LIST = 'for await (const one of platen.printers.list()) console.log(one)\n'
const FAIL = 'await platen.whoami().catch(({ name, message }) => console.log(name, message))\n'

test('an http address is requested from the proxy, an https address through its tunnel, which is used again', async () => {
  const port = await startService()
  const tlsPort = await startTlsFront(`http://127.0.0.1:${port}`, HOST)
  const proxy = await startProxy({ user: 'user:p@ss' })
  const env = { HTTP_PROXY: proxy.url, https_proxy: proxy.url.replace('http://', '') }
  expect(await run(LIST, { ...env, BASE_URL: `http://${HOST}:${port}` })).toBe('/v1/printers\n')
  const create = `const file = new Blob(['^XA^XZ'])
const printer = '019a5c1e-7d11-7e55-8a42-94c1b0d7f602'
console.log((await platen.printJobs.create({ printer, title: 'a', file })).data)`
  const trust = { NODE_EXTRA_CA_CERTS: getTestAuthority().caFile, BASE_URL: `https://${HOST}:${tlsPort}` }
  expect(await run(LIST + LIST + create, { ...env, ...trust })).toBe(
    "/v1/printers\n/v1/printers\n[ '/v1/printjobs' ]\n",
  )
  expect(proxy.requests).toEqual([`http://${HOST}:${port}/v1/printers`, `${HOST}:${tlsPort}`])
})

test('a failure names the proxy and its variable, without the password', async () => {
  const { host } = await startProxy({ user: 'user:p@ss' })
  for (const [scheme, variable, reason] of [
    ['http', 'HTTP_PROXY', 'the proxy requires another user and password'],
    ['https', 'ALL_PROXY', 'the proxy answers 407 Proxy Authentication Required'],
  ] as const) {
    const output = await run(FAIL, { [variable]: `user:secret@${host}`, BASE_URL: `${scheme}://${HOST}` })
    expect(output).toMatch(new RegExp(`^ConnectionError .*\\(${reason}\\)`))
    expect(output).toContain(`go through the proxy ${host} of ${variable}.`)
    expect(output).not.toContain('secret')
  }
  const env = { HTTPS_PROXY: '127.0.0.1:1', BASE_URL: `https://${HOST}` }
  expect(await run(FAIL, env)).toMatch(/\(ECONNREFUSED\).* through the proxy 127\.0\.0\.1:1 of HTTPS_PROXY\.$/m)
})

test('an address without a proxy is reached directly', async () => {
  const env = { HTTP_PROXY: 'http://127.0.0.1:1', BASE_URL: `http://127.0.0.1:${await startService()}` }
  expect(await run(LIST, env)).toBe('/v1/printers\n')
})
