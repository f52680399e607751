/** What needs no key: the OpenAPI document and the page made from it. What they hold is tested in `tables/`. */
import { createHash } from 'node:crypto'
import { DOCUMENT } from '@platen/test/harness/documented-answers.ts'
import { newOrganization } from '@platen/test/harness/organization.ts'
import { expect, test } from 'vitest'
import { renderPage } from '../../openapi/page/page.ts'

/** Without a key, and asking as browsers do. */
async function fetchPublic(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { world } = await newOrganization()
  const init = { method, headers: { 'cache-control': 'max-age=0', ...headers } }
  const answer = await fetch(world.gatewayUrl + path, init)
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

const RESOURCES: [path: string, type: string, body: () => string, ids: string][] = [
  [
    '/v1/openapi.json',
    'application/json',
    () => JSON.stringify(DOCUMENT),
    'endpoint.GET.openapi.json convention.public.openapi',
  ],
  ['/docs', 'text/html', () => renderPage(DOCUMENT), 'endpoint.GET.docs convention.public.docs'],
]

for (const [path, type, body, ids] of RESOURCES)
  test(`${path} is served with any key and with none, and may be kept by caches that ask whether it is still the one [${ids}]`, async () => {
    for (const authorization of ['', 'Bearer nonsense']) {
      const { status, headers, ...answer } = await fetchPublic(path, { authorization })
      expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
        200,
        `${type}; charset=utf-8`,
        'public, no-cache',
      ])
      expect(answer.text).toBe(body())
    }
    const head = await fetchPublic(path, {}, 'HEAD')
    expect([head.text, Number(head.headers.get('content-length'))]).toEqual(['', Buffer.byteLength(body())])
    const etag = head.headers.get('etag') ?? ''
    const same = await fetchPublic(path, { 'if-none-match': etag })
    expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', etag])
    expect((await fetchPublic(path, { 'if-none-match': '"another"' })).status).toBe(200)
  })

test('the page allows its own style and nothing else: no script, no request, no frame', async () => {
  const answer = await fetchPublic('/docs')
  const style = /<style>(.*)<\/style>/s.exec(answer.text)?.[1] ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  expect(answer.headers.get('content-security-policy')?.split('; ')).toEqual([
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ])
})
