import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const TEXT = /\.(html|m?js|css|svg|json|md|txt)$/

/** Codings by the ending of the file. */
const CODINGS = {
  '.br': (content: Buffer) => brotliCompressSync(content),
  '.gz': (content: Buffer) => gzipSync(content, { level: 9 }),
}
type Ending = keyof typeof CODINGS

/** Writes `file.br` and `file.gz` beside each text file, so that the gateway compresses nothing. */
export function compressFiles(directory: string, endings: Ending[] = ['.br', '.gz']): void {
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    if (!TEXT.test(name)) continue
    const content = readFileSync(join(directory, name))
    for (const ending of endings) writeFileSync(join(directory, `${name}${ending}`), CODINGS[ending](content))
  }
}

export function compress(): Plugin {
  return { name: 'compress', apply: 'build', writeBundle: ({ dir = '' }) => compressFiles(dir) }
}
