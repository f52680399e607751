/**
 * The root configuration for `vitest list`: the same test files, but no servers are started, since nothing is run. Used by
 * `collected-tests.ts`.
 */
import { defineConfig } from 'vitest/config'
import root from '../../vitest.config.ts'

const projects = (root.test?.projects ?? []).map((project) => {
  if (typeof project !== 'object' || !('test' in project))
    throw new Error('a project of vitest.config.ts has no `test`')
  return { ...project, test: { ...project.test, globalSetup: [], isolate: false } }
})

export default defineConfig({ test: { ...root.test, globalSetup: [], projects } })
