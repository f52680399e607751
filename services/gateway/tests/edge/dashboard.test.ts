import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, onTestFinished, test } from 'vitest'
import { startRunningGateway } from './start-gateway.ts'

const INDEX = '<!doctype html><title>Dashboard</title><script>first()</script>'
const SIGN_IN = '<!doctype html><title>Sign in</title>'
const SCRIPT = 'console.log(1)'

/** @returns a function that gets a path, without the decompression and redirects of `fetch`. */
async function serveBuild() {
  const directory = await mkdtemp(join(tmpdir(), 'platen-dashboard-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const files = {
    'app/index.html': INDEX,
    'app/signin.html': SIGN_IN,
    'app/assets/shell-1a2b.js': SCRIPT,
    'app/assets/shell-1a2b.js.gz': gzipSync(SCRIPT),
    'app/.vite/manifest.json': '{}',
  }
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true })
    await writeFile(join(directory, name), content)
  }
  const { url } = await startRunningGateway({ dashboardDirectory: directory })
  return async (path: string, headers: Record<string, string> = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<import('node:http').IncomingMessage>()
    request(url + path, { headers }, resolve)
      .once('error', reject)
      .end()
    const response = await promise
    return { status: response.statusCode, headers: response.headers, body: await text(response) }
  }
}

test('the dashboard is served at every path of its pages, under a policy that permits only its own files', async () => {
  proves('convention.public.app')
  const get = await serveBuild()
  for (const path of ['/app', '/app/live/jobs?state=all', '/app/index.html']) {
    const { status, headers, body } = await get(path)
    expect([status, headers['content-type'], headers['cache-control'], body]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-cache',
      INDEX,
    ])
    const policy = String(headers['content-security-policy'])
    expect(policy).toMatch(/^default-src 'none'; .*trusted-types platen-worker$/)
    const hash = createHash('sha256').update('first()').digest('base64')
    expect(policy).toContain(`; script-src 'self' 'sha256-${hash}'; `)
    expect(headers['permissions-policy']).toMatch(/\bcamera=\(\), .*geolocation=\(\), .*microphone=\(\)/)
    expect((await get(path, { 'if-none-match': String(headers.etag) })).status).toBe(304)
  }
})

test('the sign-in page is a page of its own', async () => {
  const get = await serveBuild()
  const { status, headers, body } = await get('/app/signin?to=%2Flive')
  expect([status, headers['content-type'], body]).toEqual([200, 'text/html; charset=utf-8', SIGN_IN])
})

test('assets are compressed and immutable, and only assets of this build exist', async () => {
  const get = await serveBuild()
  const path = '/app/assets/shell-1a2b.js'
  const { status, headers, body } = await get(path)
  expect([status, headers['cache-control'], headers['content-encoding'], body]).toEqual([
    200,
    'public, max-age=31536000, immutable',
    undefined,
    SCRIPT,
  ])
  expect((await get(path, { 'accept-encoding': 'gzip, br' })).headers['content-encoding']).toBe('gzip')
  expect((await get('/app/assets/shell-of-another-release.js')).status).toBe(404)
  expect((await get('/app/.vite/manifest.json')).body).toBe(INDEX)
})

test.each([
  ['text/html,application/xhtml+xml,*/*;q=0.8', '/app'],
  ['*/*', '/docs/'],
  ['application/json', '/docs/'],
])('`GET /` with `Accept: %s` leads to %s', async (accept, target) => {
  const get = await serveBuild()
  const { status, headers } = await get('/', { accept })
  expect([status, headers.location]).toEqual([302, target])
})
