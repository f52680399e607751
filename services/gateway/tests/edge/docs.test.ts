import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, onTestFinished, test } from 'vitest'
import { startRunningGateway } from './start-gateway.ts'

const page = (title: string) => `<!doctype html><title>${title}</title>`

const FILES = {
  'index.html': page('Documentation'),
  'agent.html': page('The agent'),
  'agent.html.gz': gzipSync(page('The agent')),
  'agent.md': '# The agent\n',
  'start.md':
    'curl http://localhost:8080/v1 https://print.example.com/v1 https://print.example.com.test http://localhost:80801\n',
  'decisions/index.html': page('Decisions'),
  'assets/app.1a2b.js': 'console.log(1)',
  '404.html': page('404'),
  'llms.txt': '# Platen\n',
}

/** @returns a function that gets a path without following redirects, and one that gives the build its name. */
async function serveBuild(publicUrl?: string) {
  const parent = await mkdtemp(join(tmpdir(), 'platen-docs-'))
  onTestFinished(() => rm(parent, { recursive: true }))
  const directory = join(parent, 'build')
  const unfinished = join(parent, 'unfinished')
  for (const [name, content] of Object.entries(FILES)) {
    await mkdir(dirname(join(unfinished, 'docs', name)), { recursive: true })
    await writeFile(join(unfinished, 'docs', name), content)
  }
  await writeFile(join(unfinished, 'secret.html'), 'outside of the site')
  const { url } = await startRunningGateway({ docsDirectory: directory, publicUrl })
  /** Without the redirects of `fetch`, which also changes paths. */
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    request(url, { path, headers }, resolve).once('error', reject).end()
    const response = await promise
    return { status: response.statusCode, headers: response.headers, body: await text(response) }
  }
  return { get, finish: () => rename(unfinished, directory) }
}

test('the documentation is served without endings of files, also as Markdown, under a policy that permits only its own files', async () => {
  proves('convention.public.site', 'convention.public.markdown', 'endpoint.GET.docs')
  const { get, finish } = await serveBuild()
  await finish()
  for (const [path, type, body] of [
    ['/docs/', 'text/html', FILES['index.html']],
    ['/docs/agent', 'text/html', FILES['agent.html']],
    ['/docs/agent.html', 'text/html', FILES['agent.html']],
    ['/docs/decisions/', 'text/html', FILES['decisions/index.html']],
    ['/docs/agent.md', 'text/markdown', FILES['agent.md']],
    ['/docs/llms.txt', 'text/plain', FILES['llms.txt']],
  ] as const) {
    const answer = await get(path)
    expect([answer.status, answer.headers['content-type'], answer.headers['cache-control'], answer.body]).toEqual([
      200,
      `${type}; charset=utf-8`,
      'no-cache',
      body,
    ])
    expect(answer.headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    )
    const same = await get(path, { 'if-none-match': answer.headers.etag ?? '' })
    expect([same.status, same.body]).toEqual([304, ''])
  }
  expect((await get('/docs/agent', { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBe('gzip')
  expect((await get('/docs/assets/app.1a2b.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable')
  for (const [path, target] of [
    ['/docs', '/docs/'],
    ['/docs/decisions', '/docs/decisions/'],
  ])
    expect((await get(path ?? '')).headers.location).toBe(target)
})

test('a page is Markdown for a request that prefers it, and names its Markdown and the list of pages', async () => {
  proves('convention.public.accept')
  const { get, finish } = await serveBuild()
  await finish()
  const link =
    '</docs/agent.md>; rel="alternate"; type="text/markdown", </docs/llms.txt>; rel="index"; type="text/plain"'
  for (const [accept, type] of [
    ['text/markdown', 'text/markdown'],
    ['text/markdown, text/html;q=0.9, */*;q=0.8', 'text/markdown'],
    ['text/html, text/markdown;q=0.5', 'text/html'],
    ['*/*', 'text/html'],
  ] as const) {
    const { headers, body } = await get('/docs/agent', { accept })
    expect([headers['content-type'], headers.link, headers.vary]).toEqual([
      `${type}; charset=utf-8`,
      link,
      'Accept-Encoding, Accept',
    ])
    expect(body).toBe(type === 'text/html' ? FILES['agent.html'] : FILES['agent.md'])
  }
  const none = await get('/docs/decisions/', { accept: 'text/markdown' })
  expect(none.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    link: '</docs/llms.txt>; rel="index"; type="text/plain"',
  })
})

test('examples of Markdown have the public address of the installation, and no host of a request', async () => {
  proves('convention.public.address')
  const named = await serveBuild('https://print.corner.test')
  await named.finish()
  const { headers, body } = await named.get('/docs/start.md')
  const url = 'https://print.corner.test/v1'
  expect(body).toBe(`curl ${url} ${url} https://print.example.com.test http://localhost:80801\n`)
  expect(headers['content-length']).toBe(String(body.length))
  const zipped = await named.get('/docs/start.md', { 'accept-encoding': 'gzip' })
  expect([zipped.headers['content-encoding'], zipped.headers.etag]).toEqual(['gzip', headers.etag])
  const unnamed = await serveBuild()
  await unnamed.finish()
  const other = await unnamed.get('/docs/start.md', { host: 'evil.test' })
  expect([other.body, other.headers.etag === headers.etag]).toEqual([FILES['start.md'], false])
})

test('other paths are no pages of the documentation: browsers get a page, programs an error', async () => {
  const { get, finish } = await serveBuild()
  await finish()
  for (const path of ['missing', '../secret.html', '%2e%2e/secret', '..%2fsecret', 'agent.html.gz', 'agent/']) {
    const browser = await get(`/docs/${path}`, { accept: 'text/html,*/*;q=0.8' })
    expect([browser.status, browser.body]).toEqual([404, FILES['404.html']])
    const program = await get(`/docs/${path}`, { accept: 'application/json' })
    expect([program.status, JSON.parse(program.body).error.code]).toEqual([404, 'not_found'])
  }
})

test('a build that ends while the gateway runs is served from then on', async () => {
  const { get, finish } = await serveBuild()
  expect((await get('/docs/')).headers.location).toBe('/docs/openapi/')
  expect((await get('/docs/agent')).status).toBe(404)
  await finish()
  expect((await get('/docs/agent')).status).toBe(200)
  expect((await get('/docs/openapi/')).status).toBe(200)
})
