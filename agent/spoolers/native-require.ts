import { createRequire } from 'node:module'
import { isSea } from 'node:sea'
import { fileURLToPath } from 'node:url'

/** Undefined in a bundle. */
const moduleUrl: string | undefined = import.meta.url

/**
 * Creates a `require` for native code and WebAssembly, which a bundle cannot contain. It resolves packages of this project, or the
 * `node_modules` next to the bundle or single executable.
 */
export const createNativeRequire = () =>
  createRequire(moduleUrl ?? (isSea() ? process.execPath : (process.argv[1] ?? process.execPath)))

/** The arguments of Node that start this program again. */
export function getProgramArguments(): string[] {
  if (moduleUrl) return [fileURLToPath(new URL('../main.ts', moduleUrl))]
  return isSea() || !process.argv[1] ? [] : [process.argv[1]]
}
