/**
 * The floor of `bench jobs`: the same statements on the same server, without services, network and agents. One job is
 * one creation and four changes of state, each of 25 jobs in one statement. The floor has a database of its own, so
 * that no rows of the services slow it down.
 */
import { changeStates, requestedChanges } from '@platen/jobs/change-state.ts'
import { createJobs } from '@platen/jobs/create-jobs.ts'
import { MIGRATIONS } from '@platen/jobs/migrations/migrations.ts'
import type { Trigger } from '@platen/jobs/states.ts'
import { sampleJob } from '@platen/jobs/tests/start-test-jobs.ts'
import { hotConnectionSettings } from '@platen/runtime/database/connection-settings.ts'
import { migrate } from '@platen/runtime/database/migrate.ts'
import { parseDatabaseUrl } from '@platen/runtime/database/settings.ts'
import type { Pool } from 'pg'
import { createTestProcess } from '../harness/test-process.ts'
import { CONTENT } from './load.ts'
import type { Run } from './peers.ts'
import { openPool, withDatabase } from './postgres.ts'
import { runClients } from './report.ts'

const CONNECTIONS = 8
export const BATCH = 25

export async function createBatch(pool: Pool): Promise<string[]> {
  const jobs = Array.from({ length: BATCH }, () => ({ ...sampleJob(new Date()), storageKey: null, content: CONTENT }))
  await createJobs(pool, jobs)
  return jobs.map(({ id }) => id)
}

/** One statement for each trigger. */
export async function changeBatch(
  pool: Pool,
  jobIds: string[],
  triggers: Trigger[] = ['push', 'acknowledge', 'print', 'complete'],
): Promise<void> {
  for (const trigger of triggers)
    await changeStates(pool, requestedChanges(jobIds.map((jobId) => ({ jobId, trigger, actor: 'system' }))), new Date())
}

export async function withFloor<T>(databaseUrl: string, measure: (run: Run) => Promise<T>): Promise<T> {
  return await withDatabase(databaseUrl, 'floor', async (connectionString) => {
    await migrate(createTestProcess('floor').log, parseDatabaseUrl(connectionString), 'jobs', MIGRATIONS)
    const pool = openPool({ connectionString, max: CONNECTIONS, ...hotConnectionSettings('floor') })
    const run = async (seconds: number) => {
      let jobs = 0
      await runClients(CONNECTIONS, seconds, async () => {
        await changeBatch(pool, await createBatch(pool))
        jobs += BATCH
      })
      return jobs
    }
    return await measure(run).finally(() => pool.end())
  })
}
