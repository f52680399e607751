import { createRequire } from 'node:module'
import { isSea } from 'node:sea'

/** What a bundle makes of `import.meta` has no address. */
const here: string | undefined = import.meta.url

/**
 * Loads what cannot lie in a bundle, native code and WebAssembly: from this project's packages, or from `node_modules` beside the bundle or
 * the single-file executable. Only where it is called anything is loaded at all.
 */
export const requireBeside = () =>
  createRequire(here ?? (isSea() ? process.execPath : (process.argv[1] ?? process.execPath)))
