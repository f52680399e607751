/**
 * For `vitest list`: the test files of all projects, without what is only for running them, such as servers. Nothing is run, so
 * files need no processes of their own; with them it takes five times as long. Used by `collected-tests.ts`.
 */
import { defineConfig } from 'vitest/config'
import root from '../../vitest.config.ts'

const include = (root.test?.projects ?? []).flatMap((project) => {
  const files = typeof project === 'object' && 'test' in project ? project.test?.include : undefined
  if (!files) throw new Error('a project of vitest.config.ts does not say which files it includes')
  return files
})

export default defineConfig({ test: { include, isolate: false } })
