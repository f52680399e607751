/**
 * `GET /agents/`: the packages of the agent and the scripts that install them. Public, because a computer has no credential before its agent
 * is enrolled. Only files of the list are served.
 */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { CHECKSUMS, SIGNATURE } from '@platen/proto/agent-packages.ts'
import type { AgentPackages, ReadAgentPackages } from '@platen/runtime/agent-packages.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { RouteStep } from '../context.ts'
import type { Gateway } from '../gateway.ts'

/** Files that a browser shows and `curl` prints. Others are downloads. */
const TEXTS = new Set(['.sh', '.ps1', '.json'])

const NO_PACKAGES =
  'This installation offers no packages of the agent yet. Its operator builds them with `npm run package:agent` in the clone of Platen: see `/docs/agent-packages`.'

const NONE = { version: null, isSigned: false, packages: [] }

export interface ServedPackages {
  directory: string
  read: ReadAgentPackages
}

/** The list for the dashboard and for programs. */
export const listAgentPackages =
  ({ agentPackages: served, installation }: Gateway): RouteStep =>
  async (ctx) => {
    ctx.set('Cache-Control', 'no-cache')
    const list = await served?.read()
    const found = served && list ? await describe(served.directory, list) : NONE
    ctx.body = { ...found, installation }
  }

/** Sends a file of the list. @throws ApiError `not_found`. */
export const sendAgentPackage =
  (served: ServedPackages | undefined): RouteStep =>
  async (ctx) => {
    const name = String(ctx.params.file)
    const list = await served?.read()
    if (!list) throw new ApiError('not_found', NO_PACKAGES)
    const sha256 = list.sha256.get(name)
    if (!served || (sha256 === undefined && name !== SIGNATURE))
      throw new ApiError('not_found', 'This installation has no such package of the agent. See `/agents/`.')
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

async function describe(directory: string, { version, packages, sha256 }: AgentPackages) {
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
