/**
 * The files of a build that the gateway serves. They are kept in memory, so that a build that replaces them does not
 * break it.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ParameterizedContext } from 'koa'

/** Endings by the coding that a request accepts, the smallest first. */
const CODINGS = { br: '.br', gzip: '.gz', identity: '' } as const
type Coding = keyof typeof CODINGS

/** What a build writes and no browser reads. */
const UNSERVED = /(^|\/)\.|\.(br|gz)$/

export interface StaticFile {
  /** With its ending, for the type. */
  name: string
  hash: string
  contents: Partial<Record<Coding, Buffer>>
}

/**
 * Reads the folder of a directory, with what the build has compressed: `index.html.br`.
 *
 * @returns by the path of the URL, which begins with the folder: `/app/index.html`. Empty if the folder does not exist.
 */
export function readStaticFiles(directory: string, folder: string): ReadonlyMap<string, StaticFile> {
  if (!existsSync(join(directory, folder))) return new Map()
  const names = readdirSync(join(directory, folder), { recursive: true, encoding: 'utf8' }).map(
    (name) => `${folder}/${name.replaceAll('\\', '/')}`,
  )
  const present = new Set(names)
  const read = (name: string) => readFileSync(join(directory, name))
  return new Map(
    names
      .filter((name) => !UNSERVED.test(name) && statSync(join(directory, name)).isFile())
      .map((name) => {
        const contents = Object.entries(CODINGS).flatMap(([coding, suffix]) =>
          present.has(name + suffix) ? [[coding, read(name + suffix)]] : [],
        )
        const hash = createHash('sha256').update(read(name)).digest('base64url')
        return [`/${name}`, { name, hash, contents: Object.fromEntries(contents) }]
      }),
  )
}

interface SendOptions {
  /** Its name contains a hash of its contents. Otherwise caches must revalidate it. */
  isImmutable: boolean
  headers: Record<string, string>
  status?: 200 | 404
}

/** Sends a file in the smallest coding that the request accepts, or 304. */
export function sendStaticFile(
  ctx: ParameterizedContext,
  { name, hash, contents }: StaticFile,
  { isImmutable, headers, status = 200 }: SendOptions,
): void {
  const available = Object.keys(CODINGS).filter((coding) => contents[coding as Coding])
  const coding = (ctx.acceptsEncodings(...available) || 'identity') as Coding
  ctx.set({
    ...headers,
    'Cache-Control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    Vary: 'Accept-Encoding',
    ETag: `W/"${hash}"`,
  })
  ctx.status = status
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  ctx.type = name.slice(name.lastIndexOf('.'))
  if (coding !== 'identity') ctx.set('Content-Encoding', coding)
  ctx.body = contents[coding]
}
