/** Where the installation lies. */
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')

/** Programs that were fetched for this clone alone; `npm ci` empties it with the rest of node_modules. */
export const toolsDirectory = join(root, 'node_modules/.cache/platen')
