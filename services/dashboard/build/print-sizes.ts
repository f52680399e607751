import { gzipSync } from 'node:zlib'
import type { Plugin, Rolldown } from 'vite'
import { BUDGETS } from './budgets.ts'

const KB = 1000
/** The chunk that loads the workers of pdf.js. */
const PREVIEW = 'pdf-preview'
const WORKER = /pdf\.(worker|renderer).*\.mjs$/

/** Prints the gzip sizes that the budgets limit. */
export function printSizes(): Plugin {
  return {
    name: 'print-sizes',
    apply: 'build',
    generateBundle(_options, bundle) {
      const files = Object.values(bundle)
      const chunks = files.filter((file) => file.type === 'chunk')
      const [shell, signIn] = ['index', 'signin'].map(
        (name) =>
          new Set(chunks.filter((one) => one.isEntry && one.name === name).flatMap((one) => withImports(one, bundle))),
      )
      if (!shell?.size || !signIn?.size) throw new Error('index.html and signin.html have no script')
      print('sign-in page', sum([...signIn]), BUDGETS.signIn)
      print('shell', sum([...shell]), BUDGETS.shell)
      for (const file of files) {
        if (file.type === 'asset' && file.fileName.endsWith('.css')) print('styles', gzip(file.source), BUDGETS.style)
      }
      for (const chunk of chunks.filter(({ isDynamicEntry }) => isDynamicEntry)) {
        const size = sum(withImports(chunk, bundle).filter((one) => !shell.has(one)))
        if (chunk.name === PREVIEW) print(PREVIEW, size + workers(files), BUDGETS.preview)
        else print(chunk.name, size, BUDGETS.page)
      }
    },
  }
}

/** What the browser loads with a chunk. */
function withImports(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): Rolldown.OutputChunk[] {
  const found = new Set([chunk])
  // Grows while it is read.
  for (const { imports } of found)
    for (const name of imports) {
      const imported = bundle[name]
      if (imported?.type === 'chunk') found.add(imported)
    }
  return [...found]
}

const workers = (files: (Rolldown.OutputChunk | Rolldown.OutputAsset)[]) =>
  files.reduce(
    (total, file) => total + (file.type === 'asset' && WORKER.test(file.fileName) ? gzip(file.source) : 0),
    0,
  )

const gzip = (source: string | Uint8Array) => gzipSync(source, { level: 9 }).length

const sum = (chunks: Rolldown.OutputChunk[]) => chunks.reduce((total, { code }) => total + gzip(code), 0)

function print(name: string, size: number, budget: number): void {
  const text = `  ${name.padEnd(26)} ${(size / KB).toFixed(1).padStart(6)} of ${budget / KB} KB`
  console.log(size > budget ? `${text}, too large` : text)
}
