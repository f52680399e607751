import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@platen/deploy/postgres.ts'
import { freePort } from '../harness/free-port.ts'

/** Runs `measure` with a new PostgreSQL, which is stopped and deleted afterwards. @param measure gets its URL. */
export async function withPostgres(measure: (url: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'platen-bench-'))
  const postgres = await startPostgres({
    directory: join(directory, 'postgres'),
    port: await freePort(),
    password: 'bench',
    logFile: join(directory, 'postgres.log'),
  })
  try {
    await measure(postgres.url)
  } finally {
    await postgres.stop()
    await rm(directory, { recursive: true })
  }
}
