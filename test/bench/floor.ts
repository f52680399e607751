/**
 * The floor beneath `bench jobs`: the same statements on the same server, without services, network and agents. One job is one creation
 * and four changes of state, the changes in batches as devices sends them.
 */
import { askedChanges, changeStates } from '@platen/jobs/change-state.ts'
import { createJobRow } from '@platen/jobs/create-job-row.ts'
import { sampleJob } from '@platen/jobs/tests/start-test-jobs.ts'
import { hotConnectionSettings } from '@platen/runtime/database/connection-settings.ts'
import { Pool } from 'pg'

const CONNECTIONS = 8
const BATCH = 25

/** @returns jobs a second. */
export async function measureFloor(databaseUrl: string, durationMs: number): Promise<number> {
  const pool = new Pool({ connectionString: databaseUrl, max: CONNECTIONS, ...hotConnectionSettings('floor') })
  const startedAt = performance.now()
  let jobs = 0
  const work = async () => {
    while (performance.now() - startedAt < durationMs) {
      const batch = Array.from({ length: BATCH }, () => sampleJob(new Date()))
      for (const job of batch) await createJobRow(pool, job, 'api')
      for (const trigger of ['push', 'acknowledge', 'print', 'complete'] as const)
        await changeStates(
          pool,
          askedChanges(batch.map(({ id }) => ({ jobId: id, trigger, actor: 'system' }))),
          new Date(),
        )
      jobs += BATCH
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  const seconds = (performance.now() - startedAt) / 1000
  await pool.end()
  return jobs / seconds
}
