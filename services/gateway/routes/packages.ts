/** Serves the files of a directory of packages. Only files of its list are served. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { CHECKSUMS, SIGNATURE } from '@platen/proto/agent-packages.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { PackageList, ReadPackages } from '@platen/runtime/packages.ts'
import type { RouteStep } from '../context.ts'

/** Files that a browser shows and `curl` prints. Others are downloads. */
const TEXTS = new Set(['.sh', '.ps1', '.json'])

export interface ServedPackages<Package = object> {
  directory: string
  read: ReadPackages<Package>
}

/** @returns undefined without a directory. */
export function toServedPackages<Package>(
  directory: string | undefined,
  open: (directory: string) => ReadPackages<Package>,
): ServedPackages<Package> | undefined {
  return directory === undefined ? undefined : { directory, read: open(directory) }
}

/** The list for the dashboard and for programs. */
export async function describePackages<Package>(served: ServedPackages<Package> | undefined) {
  const list = await served?.read()
  if (!served || !list) return { version: null, isSigned: false, packages: [] }
  return await describe(served.directory, list)
}

/**
 * Sends a file of the list.
 *
 * @param missing the messages without a list, and for a file that is not in the list.
 * @throws ApiError `not_found`.
 */
export const sendPackage =
  (served: ServedPackages | undefined, missing: { list: string; file: (list: PackageList) => string }): RouteStep =>
  async (ctx) => {
    const name = String(ctx.params.file)
    const list = await served?.read()
    if (!served || !list) throw new ApiError('not_found', missing.list)
    const sha256 = list.sha256.get(name)
    if (sha256 === undefined && name !== SIGNATURE) throw new ApiError('not_found', missing.file(list))
    const path = join(served.directory, name)
    const found = await stat(path).catch(() => undefined)
    if (!found?.isFile())
      throw new ApiError('not_found', `The file \`${name}\` is missing in the directory of packages.`)
    // The signature has no checksum of its own. It changes with the list.
    ctx.set({ 'Cache-Control': 'public, no-cache', ETag: `"${sha256 ?? `${list.sha256.get(CHECKSUMS)}.minisig`}"` })
    ctx.status = 200
    if (ctx.fresh) {
      ctx.status = 304
      return
    }
    const isText = TEXTS.has(extname(name)) || name === CHECKSUMS || name === SIGNATURE
    ctx.type = isText ? 'text/plain; charset=utf-8' : 'application/octet-stream'
    ctx.length = found.size
    ctx.body = createReadStream(path)
  }

async function describe<Package>(directory: string, { version, packages, sha256 }: PackageList<Package>) {
  const isSigned = await stat(join(directory, SIGNATURE)).then(
    (file) => file.isFile(),
    () => false,
  )
  const found = await Promise.all(
    packages.map(async (one) => {
      const file = await stat(join(directory, one.file)).catch(() => undefined)
      return file ? [{ ...one, sizeBytes: file.size, sha256: sha256.get(one.file) }] : []
    }),
  )
  return { version, isSigned, packages: found.flat() }
}
