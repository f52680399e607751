/**
 * `GET /app`: the dashboard, as `deploy/launcher/build-dashboard.ts` builds it. Its files are kept in memory (about 10 MB), so that a build that
 * replaces them does not break a running gateway.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ApiError } from '@platen/runtime/errors.ts'
import type { RouteStep } from '../context.ts'
import { PERMISSIONS_POLICY } from '../middleware/security-headers.ts'

/** Permits only the files of the dashboard and requests to this gateway. Scripts cannot write HTML (Trusted Types). */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
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

/** Of the workers that read documents: permits the decoders of pdf.js, which the page does not. */
const WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
const WORKER = /^\/app\/assets\/pdf\.(worker|renderer)[^/]*\.mjs$/

/** By the coding that a request accepts, the smallest first. */
const CODINGS = { br: '.br', gzip: '.gz', identity: '' } as const
type Coding = keyof typeof CODINGS

/** What the build writes and no browser reads. */
const UNSERVED = /(^|\/)\.|\.(br|gz)$/
/** Their names contain a hash of their contents. */
const IMMUTABLE = /^\/app\/assets\//
const INDEX = '/app/index.html'

interface File {
  hash: string
  contents: Partial<Record<Coding, Buffer>>
}

export interface Dashboard {
  /** By the path of the URL. */
  files: ReadonlyMap<string, File>
  index: File
  /** Differs between builds, because the index contains the names of all files of the first load. */
  build: string
}

/**
 * @param directory `PLATEN_DASHBOARD_DIR`.
 * @throws if the directory has no build.
 */
export function readDashboard(directory: string): Dashboard {
  const files = readFiles(directory)
  const index = files.get(INDEX)
  if (!index) throw new Error(`PLATEN_DASHBOARD_DIR: ${directory} does not contain ${INDEX.slice(1)}`)
  return { files, index, build: index.hash }
}

/**
 * Every path without a file is a page of the dashboard, whose script shows it. A missing asset is not: it belongs to another release.
 *
 * @param isEncrypted whether browsers reach it by TLS. Otherwise they ignore some headers, and report that as an error.
 */
export function serveDashboard({ files, index }: Dashboard, isEncrypted: boolean): RouteStep {
  return (ctx) => {
    const found = files.get(ctx.path)
    if (!found && IMMUTABLE.test(ctx.path)) throw new ApiError('not_found', 'This file belongs to another release.')
    const file = found ?? index
    const available = Object.keys(CODINGS).filter((coding) => file.contents[coding as Coding])
    const coding = (ctx.acceptsEncodings(...available) || 'identity') as Coding
    ctx.set({
      'Content-Security-Policy': WORKER.test(ctx.path) ? WORKER_POLICY : POLICY,
      ...(isEncrypted && { 'Cross-Origin-Opener-Policy': 'same-origin' }),
      'Permissions-Policy': PERMISSIONS_POLICY,
      'Cache-Control': found && IMMUTABLE.test(ctx.path) ? 'public, max-age=31536000, immutable' : 'no-cache',
      Vary: 'Accept-Encoding',
      ETag: `W/"${file.hash}"`,
    })
    ctx.status = 200
    if (ctx.fresh) {
      ctx.status = 304
      return
    }
    ctx.type = found ? ctx.path.slice(ctx.path.lastIndexOf('.')) : '.html'
    if (coding !== 'identity') ctx.set('Content-Encoding', coding)
    ctx.body = file.contents[coding]
  }
}

function readFiles(directory: string): Map<string, File> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'))
  const present = new Set(names)
  const read = (name: string) => readFileSync(join(directory, name))
  return new Map(
    names
      .filter((name) => name.startsWith('app/') && !UNSERVED.test(name) && statSync(join(directory, name)).isFile())
      .map((name) => {
        const contents = Object.entries(CODINGS).flatMap(([coding, suffix]) =>
          present.has(name + suffix) ? [[coding, read(name + suffix)]] : [],
        )
        const hash = createHash('sha256').update(read(name)).digest('base64url')
        return [`/${name}`, { hash, contents: Object.fromEntries(contents) }]
      }),
  )
}
