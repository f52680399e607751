/** The tests of services on their databases, one worker each, with the runner that repeats them. */
import { defineConfig } from 'vitest/config'
import config from '../../../vitest.config.ts'

const maxWorkers = Number(process.env.PLATEN_SQL_WORKERS)

const projects = (config.test?.projects ?? []).flatMap((project) => {
  if (typeof project !== 'object' || !('test' in project)) return []
  const { name } = project.test ?? {}
  return name === 'world' || name === 'edge' ? [{ ...project, test: { ...project.test, maxWorkers } }] : []
})

export default defineConfig({
  ...config,
  test: { ...config.test, runner: './test/power/sql/runner.ts', maxWorkers, projects },
})
