import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

const NAMES = ['react', 'react/jsx-runtime', 'react-dom/client', 'use-sync-external-store/shim/with-selector']
const OWN = /\/node_modules\/(react|use-sync-external-store)/
const PREFIX = '\0esm:'
const SOURCE = '?commonjs'

const require = createRequire(import.meta.url)

/**
 * Makes ES modules of React's CommonJS modules. Without it every chunk needs the bundler's functions for CommonJS, which would be a chunk of
 * their own that the first load has to request.
 */
export function reactModules(): Plugin {
  return {
    name: 'react-modules',
    apply: 'build',
    enforce: 'pre',
    resolveId(id, importer) {
      // These modules themselves require the CommonJS modules.
      if (NAMES.includes(id) && !OWN.test(importer ?? '')) return PREFIX + id
      return id.endsWith(SOURCE) ? require.resolve(id.slice(0, -SOURCE.length)) : null
    },
    load(id) {
      if (!id.startsWith(PREFIX)) return null
      const name = id.slice(PREFIX.length)
      const exported = Object.keys(require(name)).filter((key) => /^[A-Za-z_]\w*$/.test(key) && key !== 'default')
      return [
        `import all from ${JSON.stringify(name + SOURCE)}`,
        ...exported.map((key) => `export const ${key} = all.${key}`),
        'export default all',
      ].join('\n')
    },
  }
}
