/** The version of every package, and of the program in it. */
import manifest from '../package.json' with { type: 'json' }

export const version = manifest.version
