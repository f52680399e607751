/** One PostgreSQL server for a run of the tests; each test has databases of its own on it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseFreePorts } from '@platen/deploy/ports.ts'
import { startPostgres } from '@platen/deploy/postgres.ts'
import type { TestProject } from 'vitest/node'

export default async function setup(project: TestProject) {
  const root = await mkdtemp(join(tmpdir(), 'platen-postgres-'))
  const { postgres } = await chooseFreePorts(['postgres'])
  const server = await startPostgres({
    directory: join(root, 'data'),
    port: postgres,
    password: 'only on loopback, only while testing',
    logFile: join(root, 'log'),
  })
  project.provide('postgresUrl', server.url)
  return async () => {
    await server.stop()
    await rm(root, { recursive: true })
  }
}
