/** The paths of sources and packages. */
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')

/** Ignored by Git. */
export const outputDir = join(root, 'dist/agent')
