/** The public pages: the OpenAPI document, and the page that shows it with its files. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { DOCUMENT } from '@platen/test/harness/documented-answers.ts'
import { newOrganization } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'

/** A request of a browser, without a key. */
async function fetchPublic(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { world } = await newOrganization()
  const init = { method, headers: { 'cache-control': 'max-age=0', ...headers } }
  const answer = await fetch(world.gatewayUrl + path, init)
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

const { resolve } = createRequire(import.meta.url)
const asset = (name: string) => readFileSync(resolve(`swagger-ui-dist/${name}`), 'utf8')

const RESOURCES: [path: string, type: string, body: unknown, ...ids: string[]][] = [
  [
    '/v1/openapi.json',
    'application/json',
    JSON.stringify(DOCUMENT),
    'endpoint.GET.openapi.json',
    'convention.public.openapi',
  ],
  [
    '/docs/openapi/',
    'text/html',
    expect.stringMatching(/^<!doctype html>/),
    'endpoint.GET.docs.openapi',
    'convention.public.docs',
  ],
  ['/docs/openapi/swagger-ui-bundle.js', 'text/javascript', asset('swagger-ui-bundle.js'), 'endpoint.GET.docs.openapi'],
  ['/docs/openapi/swagger-ui.css', 'text/css', asset('swagger-ui.css'), 'endpoint.GET.docs.openapi'],
  [
    '/docs/openapi/start.js',
    'text/javascript',
    expect.stringContaining('/v1/openapi.json'),
    'endpoint.GET.docs.openapi',
  ],
]

for (const [path, type, body, ...ids] of RESOURCES)
  test(`${path} is served with any key and with none, and may be kept by caches that ask whether it is still the one`, async () => {
    proves(...ids)
    for (const authorization of ['', 'Bearer nonsense']) {
      const { status, headers, text } = await fetchPublic(path, { authorization })
      expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
        200,
        `${type}; charset=utf-8`,
        'public, no-cache',
      ])
      expect(text).toEqual(body)
    }
    const { text, headers } = await fetchPublic(path)
    const head = await fetchPublic(path, {}, 'HEAD')
    expect([head.text, Number(head.headers.get('content-length'))]).toEqual(['', Buffer.byteLength(text)])
    const etag = headers.get('etag') ?? ''
    const same = await fetchPublic(path, { 'if-none-match': etag })
    expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', etag])
    expect((await fetchPublic(path, { 'if-none-match': '"another"' })).status).toBe(200)
  })

test.each([
  ['/', '/docs/'],
  ['/docs', '/docs/'],
  ['/docs/', '/docs/openapi/'],
  ['/docs/openapi', '/docs/openapi/'],
])('without a build of the documentation, %s leads to %s', async (path, target) => {
  proves('convention.public.root', 'convention.public.site.none')
  const { world } = await newOrganization()
  const { status, headers } = await fetch(world.gatewayUrl + path, { redirect: 'manual' })
  expect([status, headers.get('location')]).toEqual([302, target])
})

test.each([
  ['/llms.txt', '/docs/llms.txt'],
  ['/llms-full.txt', '/docs/llms-full.txt'],
  ['/openapi.json', '/v1/openapi.json'],
  ['/.well-known/llms.txt', '/docs/llms.txt'],
  ['/.well-known/security.txt', '/docs/SECURITY.md'],
])('%s leads to %s', async (path, target) => {
  proves('convention.public.usual')
  const { world } = await newOrganization()
  const { status, headers } = await fetch(world.gatewayUrl + path, { redirect: 'manual' })
  expect([status, headers.get('location')]).toEqual([302, target])
})

test('the page loads and runs only files of the gateway, which all exist', async () => {
  const { headers, text } = await fetchPublic('/docs/openapi/')
  expect(headers.get('content-security-policy')?.split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ])
  // Inline, the policy would refuse them.
  expect(text).not.toMatch(/<style|<script(?! src="\/docs\/openapi\/)| on\w+=| style=/)
  const loaded = [...text.matchAll(/(?:href|src)="(\/docs\/[^"]*)"/g)].map(([, path]) => path ?? '')
  expect(loaded).toHaveLength(3)
  for (const path of loaded) expect((await fetchPublic(path)).status).toBe(200)
})
