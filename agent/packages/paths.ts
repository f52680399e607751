/** Where packages are made from and where they go. */
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')

/** Not in the repository. */
export const outputDir = join(root, 'dist/agent')
