import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const require = createRequire(import.meta.url)
const FOLDERS = ['cmaps', 'iccs', 'standard_fonts', 'wasm']
/** Scripts that interpret scripts of documents, or decode where WebAssembly is missing. */
const OMITTED = /quickjs|\.js$/

const API = /pdfjs-dist\/build\/pdf\.mjs$/
/** The global variable of pdf.js uses all of its exports, so nothing could be left out. */
const GLOBAL = /^globalThis\.pdfjsLib = \{[\s\S]*?^\};$/m

/**
 * Writes the fonts, character maps and decoders of pdf.js with their licenses. The version is in the path, so they are
 * immutable.
 */
export function pdfFiles(): Plugin {
  return {
    name: 'pdf-files',
    apply: 'build',
    transform(code, id) {
      return API.test(id) ? { code: code.replace(GLOBAL, ''), map: null } : null
    },
    generateBundle() {
      const manifest = require.resolve('pdfjs-dist/package.json')
      const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
      for (const folder of FOLDERS) {
        const directory = join(manifest, '..', folder)
        for (const name of readdirSync(directory).filter((name) => !OMITTED.test(name)))
          this.emitFile({
            type: 'asset',
            fileName: `assets/pdfjs-${version}/${folder}/${name}`,
            source: readFileSync(join(directory, name)),
          })
      }
    },
  }
}
