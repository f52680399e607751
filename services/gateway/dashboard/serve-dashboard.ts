/** `GET /app`: the dashboard, as `deploy/launcher/build-web.ts` builds it. Its files take about 10 MB of memory. */
import { createHash } from 'node:crypto'
import { ApiError } from '@platen/runtime/errors.ts'
import type { RouteStep } from '../context.ts'
import { PERMISSIONS_POLICY } from '../middleware/security-headers.ts'
import { readStaticFiles, type StaticFile, sendStaticFile } from '../static-files.ts'

/**
 * Permits only the files of the dashboard, the scripts inside of its HTML, and requests to this gateway. Scripts cannot
 * write HTML (Trusted Types).
 *
 * @param hashes of the scripts inside of the HTML.
 */
const toPolicy = (hashes: string[]) =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...hashes].join(' '),
    "style-src 'self'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types platen-worker',
  ].join('; ')

/** The policy of the workers that read documents: permits the decoders of pdf.js, which the page does not. */
const WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
const WORKER = /^\/app\/assets\/pdf\.(worker|renderer)[^/]*\.mjs$/

/** Their names contain a hash of their contents. */
const IMMUTABLE = /^\/app\/assets\//
const INDEX = '/app/index.html'
const INLINE_SCRIPT = /<script>([\s\S]*?)<\/script>/g

export interface Dashboard {
  /** Files by the path of the URL. */
  files: ReadonlyMap<string, StaticFile>
  index: StaticFile
  /** `Content-Security-Policy` of its pages. */
  policy: string
  /** Differs between builds, because the index contains the names of all files of the first load. */
  build: string
}

/**
 * @param directory `PLATEN_DASHBOARD_DIR`.
 * @throws if the directory has no build.
 */
export function readDashboard(directory: string): Dashboard {
  const files = readStaticFiles(directory, 'app')
  const index = files.get(INDEX)
  if (!index) throw new Error(`PLATEN_DASHBOARD_DIR: ${directory} does not contain ${INDEX.slice(1)}`)
  const hashes = [...files.values()].filter(({ name }) => name.endsWith('.html')).flatMap(hashInlineScripts)
  return { files, index, policy: toPolicy([...new Set(hashes)]), build: index.hash }
}

function hashInlineScripts({ contents }: StaticFile): string[] {
  const html = contents.identity?.toString() ?? ''
  return [...html.matchAll(INLINE_SCRIPT)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
}

/**
 * `/app/signin` is the file `signin.html`. Every other path without a file is a page of the dashboard, whose script
 * shows it. A missing asset is not: it belongs to another release.
 *
 * @param isEncrypted whether browsers reach it by TLS. Otherwise they ignore some headers, and report that as an error.
 */
export function serveDashboard({ files, index, policy }: Dashboard, isEncrypted: boolean): RouteStep {
  return (ctx) => {
    const found = files.get(ctx.path) ?? files.get(`${ctx.path}.html`)
    if (!found && IMMUTABLE.test(ctx.path)) throw new ApiError('not_found', 'This file belongs to another release.')
    sendStaticFile(ctx, found ?? index, {
      isImmutable: found !== undefined && IMMUTABLE.test(ctx.path),
      headers: {
        'Content-Security-Policy': WORKER.test(ctx.path) ? WORKER_POLICY : policy,
        ...(isEncrypted && { 'Cross-Origin-Opener-Policy': 'same-origin' }),
        'Permissions-Policy': PERMISSIONS_POLICY,
      },
    })
  }
}
