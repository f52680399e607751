/**
 * The floor beneath `bench jobs`: the same statements on the same server, without services, network and agents. One job is one creation
 * and four changes of state, the changes in batches as devices sends them. In a database of its own: the services would go on to
 * publish what happens to jobs in theirs.
 */
import { askedChanges, changeStates } from '@platen/jobs/change-state.ts'
import { createJobRow } from '@platen/jobs/create-job-row.ts'
import { MIGRATIONS } from '@platen/jobs/migrations/migrations.ts'
import type { Trigger } from '@platen/jobs/states.ts'
import { sampleJob } from '@platen/jobs/tests/start-test-jobs.ts'
import { hotConnectionSettings } from '@platen/runtime/database/connection-settings.ts'
import { migrate } from '@platen/runtime/database/migrate.ts'
import { Client, Pool } from 'pg'
import { createTestProcess } from '../harness/test-process.ts'

const CONNECTIONS = 8
export const BATCH = 25

/** @param times gets the microseconds of each creation. */
export async function createBatch(pool: Pool, times: number[] = []): Promise<string[]> {
  const jobs = Array.from({ length: BATCH }, () => sampleJob(new Date()))
  for (const job of jobs) {
    const startedAt = performance.now()
    await createJobRow(pool, job, 'api')
    times.push((performance.now() - startedAt) * 1000)
  }
  return jobs.map(({ id }) => id)
}

export async function changeBatch(
  pool: Pool,
  jobIds: string[],
  triggers: Trigger[] = ['push', 'acknowledge', 'print', 'complete'],
): Promise<void> {
  for (const trigger of triggers)
    await changeStates(pool, askedChanges(jobIds.map((jobId) => ({ jobId, trigger, actor: 'system' }))), new Date())
}

/** @returns jobs a second. */
export async function measureFloor(databaseUrl: string, durationMs: number): Promise<number> {
  const url = await createFloor(databaseUrl)
  const pool = new Pool({ connectionString: url, max: CONNECTIONS, ...hotConnectionSettings('floor') })
  const startedAt = performance.now()
  let jobs = 0
  const work = async () => {
    while (performance.now() - startedAt < durationMs) {
      const batch = await createBatch(pool)
      await changeBatch(pool, batch)
      jobs += BATCH
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  const seconds = (performance.now() - startedAt) / 1000
  await pool.end()
  return jobs / seconds
}

async function createFloor(databaseUrl: string): Promise<string> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('CREATE DATABASE floor').finally(() => client.end())
  const url = Object.assign(new URL(databaseUrl), { pathname: '/floor' }).href
  await migrate(createTestProcess('floor').log, url, 'jobs', MIGRATIONS)
  return url
}
