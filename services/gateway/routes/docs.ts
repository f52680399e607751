/** `GET /docs/`: the documentation, as `docs/site/build.ts` builds it. Public. It works without the internet. */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { EXAMPLE_ADDRESS } from '@platen/resources/example-address.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { RequestContext, RouteStep } from '../context.ts'
import { PERMISSIONS_POLICY } from '../middleware/security-headers.ts'
import { readStaticFiles, type StaticFile, sendStaticFile } from '../static-files.ts'

/** Permits only the files of the site. The colours of code are attributes `style`. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
const HEADERS = { 'Content-Security-Policy': POLICY, 'Permissions-Policy': PERMISSIONS_POLICY }

/** Their names contain a hash of their contents. */
const IMMUTABLE = /^\/docs\/assets\//
const NOT_FOUND = '/docs/404.html'
const LIST = '/docs/llms.txt'

/** Where programs and people look for a page that is elsewhere. */
export const USUAL_PATHS = {
  '/llms.txt': LIST,
  '/.well-known/llms.txt': LIST,
  '/llms-full.txt': '/docs/llms-full.txt',
  '/openapi.json': '/v1/openapi.json',
  '/.well-known/security.txt': '/docs/SECURITY.md',
}

type Files = ReadonlyMap<string, StaticFile>

/**
 * The pages are read at the first request that finds a build, because they take about 10 MB and `npm start` builds them
 * after the services have started. Until then, only the operations are documented.
 *
 * @param directory `PLATEN_DOCS_DIR`.
 * @param publicUrl `PLATEN_PUBLIC_URL`, which the examples of Markdown then have. The `Host` of a request is not used:
 *   a cache could give the command with the host of one request to others.
 */
export function serveDocs(directory: string | undefined, publicUrl: string | undefined): RouteStep {
  let files: Files = new Map()
  return (ctx) => {
    if (files.size === 0 && directory !== undefined) files = showAddress(readStaticFiles(directory, 'docs'), publicUrl)
    if (files.size === 0 && ctx.path === '/docs/') return ctx.redirect('/docs/openapi/')
    const found = files.get(ctx.path) ?? files.get(`${ctx.path}.html`) ?? files.get(`${ctx.path}index.html`)
    if (found?.name.endsWith('.html')) return sendPage(ctx, found, files)
    if (found) return sendStaticFile(ctx, found, { isImmutable: IMMUTABLE.test(ctx.path), headers: HEADERS })
    if (files.has(`${ctx.path}/index.html`)) return ctx.redirect(`${ctx.path}/`)
    return sendNotFound(ctx, files)
  }
}

/** Pages in HTML show the address themselves: docs/site/.vitepress/theme/index.ts. */
function showAddress(files: Files, publicUrl: string | undefined): Files {
  if (publicUrl === undefined) return files
  const { origin } = new URL(publicUrl)
  const show = (file: StaticFile): StaticFile => {
    const text = /\.(md|txt)$/.test(file.name) ? (file.contents.identity?.toString() ?? '') : ''
    const shown = text.replaceAll(EXAMPLE_ADDRESS, origin)
    if (shown === text) return file
    const hash = createHash('sha256').update(shown).digest('base64url')
    return { ...file, hash, contents: { identity: Buffer.from(shown), gzip: gzipSync(shown) } }
  }
  return new Map([...files].map(([path, file]) => [path, show(file)]))
}

/** Sends a page as HTML, or as Markdown to a request that prefers it. */
function sendPage(ctx: RequestContext, page: StaticFile, files: Files): void {
  const path = `/${page.name.replace(/html$/, 'md')}`
  const markdown = files.get(path)
  const preferred = markdown && ctx.accepts('text/html', 'text/markdown') === 'text/markdown' ? markdown : page
  const links = [
    markdown && `<${path}>; rel="alternate"; type="text/markdown"`,
    `<${LIST}>; rel="index"; type="text/plain"`,
  ]
  const headers = { ...HEADERS, Link: links.filter(Boolean).join(', ') }
  sendStaticFile(ctx, preferred, { isImmutable: false, headers })
  ctx.vary('Accept')
}

function sendNotFound(ctx: RequestContext, files: Files): void {
  const page = files.get(NOT_FOUND)
  if (!page || ctx.accepts('json', 'html') !== 'html')
    throw new ApiError(
      'not_found',
      'The documentation has no such page. See `/docs/`, or `/docs/llms.txt` for programs.',
    )
  sendStaticFile(ctx, page, { isImmutable: false, headers: HEADERS, status: 404 })
}
