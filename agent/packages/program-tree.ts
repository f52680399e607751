/** The files of the installed program in the Debian package and the container image: Node, the bundle, PDFium and a command. */
import { chmod, copyFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Bundle, V8_FLAGS } from './bundle.ts'
import { root } from './paths.ts'

const LIB = 'usr/lib/platen-agent'
const DOC = 'usr/share/doc/platen-agent'

/** WebAssembly, which a bundle cannot contain: see `spoolers/native-packages.ts`. */
const PDFIUM = 'node_modules/@embedpdf/pdfium'
const PDFIUM_FILES = ['package.json', 'LICENSE', 'LICENSE.pdfium', 'dist/index.cjs', 'dist/pdfium.wasm']

/** @param dir the root directory of the installation. */
export async function createProgramTree(dir: string, bundle: Bundle): Promise<void> {
  for (const path of ['usr/bin', LIB, DOC]) await mkdir(join(dir, path), { recursive: true })
  const files = [
    [process.execPath, `${LIB}/node`, 0o755],
    [bundle.script, `${LIB}/platen-agent.cjs`, 0o644],
    [join(import.meta.dirname, 'platen-agent.sh'), 'usr/bin/platen-agent', 0o755],
    [bundle.notices, `${DOC}/copyright`, 0o644],
  ] as const
  for (const [from, to, mode] of files) {
    await copyFile(from, join(dir, to))
    await chmod(join(dir, to), mode)
  }
  await copyPdfium(join(dir, LIB))
  await writeFile(join(dir, LIB, 'v8-flags'), `${V8_FLAGS.join(' ')}\n`, { mode: 0o644 })
}

/** @param dir the directory of the program. */
export async function copyPdfium(dir: string): Promise<void> {
  for (const file of PDFIUM_FILES) {
    const to = join(dir, PDFIUM, file)
    await mkdir(dirname(to), { recursive: true, mode: 0o755 })
    await copyFile(join(root, PDFIUM, file), to)
    await chmod(to, 0o644)
  }
}
