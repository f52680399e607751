/** `GET /app`: the dashboard, as `deploy/launcher/build-web.ts` builds it. Its files take about 10 MB of memory. */
import { ApiError } from '@platen/runtime/errors.ts'
import type { RouteStep } from '../context.ts'
import { PERMISSIONS_POLICY } from '../middleware/security-headers.ts'
import { readStaticFiles, type StaticFile, sendStaticFile } from '../static-files.ts'

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

/** Their names contain a hash of their contents. */
const IMMUTABLE = /^\/app\/assets\//
const INDEX = '/app/index.html'

export interface Dashboard {
  /** By the path of the URL. */
  files: ReadonlyMap<string, StaticFile>
  index: StaticFile
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
    sendStaticFile(ctx, found ?? index, {
      isImmutable: found !== undefined && IMMUTABLE.test(ctx.path),
      headers: {
        'Content-Security-Policy': WORKER.test(ctx.path) ? WORKER_POLICY : POLICY,
        ...(isEncrypted && { 'Cross-Origin-Opener-Policy': 'same-origin' }),
        'Permissions-Policy': PERMISSIONS_POLICY,
      },
    })
  }
}
