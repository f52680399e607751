/** The directories of the program. */
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')

/** Where `npm run package:agent` puts the packages. */
export const agentPackages = join(root, 'dist/agent')

/** For programs that are fetched for this clone only. `npm ci` empties it with the rest of node_modules. */
export const toolsDirectory = join(root, 'node_modules/.cache/platen')

/** The compile cache of Node, which speeds up later starts. */
export const compileCache = join(toolsDirectory, 'compile')
