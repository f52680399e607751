/** Where the program lies. */
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '..')

/** What Node compiled, kept so that the next start need not. */
export const compileCache = join(root, 'node_modules/.cache/platen/compile')
