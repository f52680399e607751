/** What needs no key: the OpenAPI document and the page made from it. What they hold is tested in `tables/`. */
import { createHash } from 'node:crypto'
import { DOCUMENT } from '@platen/test/harness/documented-answers.ts'
import { newOrganization } from '@platen/test/harness/organization.ts'
import { expect, test } from 'vitest'
import { renderPage } from '../../openapi/page/page.ts'

/** Without a key, and asking as browsers do. */
async function fetchPublic(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { world } = await newOrganization()
  return await fetch(world.gatewayUrl + path, { method, headers: { 'cache-control': 'max-age=0', ...headers } })
}

const RESOURCES: [path: string, type: string, body: () => string, cacheControl: string, ids: string][] = [
  [
    ...(['/v1/openapi.json', 'application/json; charset=utf-8'] as const),
    () => JSON.stringify(DOCUMENT),
    ...(['public, no-cache', 'endpoint.GET.openapi.json convention.public.openapi'] as const),
  ],
  [
    ...(['/docs', 'text/html; charset=utf-8'] as const),
    () => renderPage(DOCUMENT),
    ...(['public, no-cache', 'endpoint.GET.docs convention.public.docs'] as const),
  ],
]

for (const [path, type, body, cacheControl, ids] of RESOURCES) {
  test(`${path} is served with any key and with none [${ids}]`, async () => {
    for (const authorization of ['', 'Bearer nonsense']) {
      const answer = await fetchPublic(path, { authorization })
      expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([200, type, body()])
      expect(answer.headers.get('x-request-id')).toMatch(/\w/)
    }
  })

  test(`${path} may be kept by caches, which ask whether it is still the one`, async () => {
    const head = await fetchPublic(path, {}, 'HEAD')
    const size = Number(head.headers.get('content-length'))
    expect([head.status, await head.text(), size]).toEqual([200, '', Buffer.byteLength(body())])
    expect(head.headers.get('cache-control')).toBe(cacheControl)
    const etag = head.headers.get('etag') ?? ''
    const same = await fetchPublic(path, { 'if-none-match': etag })
    expect([same.status, await same.text(), same.headers.get('etag')]).toEqual([304, '', etag])
    expect((await fetchPublic(path, { 'if-none-match': '"another"' })).status).toBe(200)
  })
}

test('the page allows its own style and nothing else: no script, no request, no frame', async () => {
  const answer = await fetchPublic('/docs')
  const style = /<style>(.*)<\/style>/s.exec(await answer.text())?.[1] ?? ''
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
