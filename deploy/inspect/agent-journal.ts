/** What the journal of an agent on this machine says of one job. */
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export interface JournaledJob {
  attempt: number
  phase: string
  spooler_job_id: string | null
  outcome_message: string | null
  updated_at: number
  settled_at: number | null
  unconfirmedReports: string[]
}

/**
 * Reads a copy: the agent holds the lock of its journal for as long as it runs.
 *
 * @param directory the agent's data directory.
 * @returns undefined when there is no journal here, or it does not know the job.
 */
export async function readAgentJournal(directory: string, jobId: string): Promise<JournaledJob | undefined> {
  const copy = await mkdtemp(join(tmpdir(), 'platen-inspect-'))
  try {
    for (const name of ['journal.sqlite', 'journal.sqlite-wal']) await copyFile(join(directory, name), join(copy, name))
    const database = new DatabaseSync(join(copy, 'journal.sqlite'))
    const job = database.prepare('SELECT * FROM job WHERE id = ?').get(jobId)
    const reports = database.prepare('SELECT state FROM report WHERE job_id = ? ORDER BY sequence').all(jobId)
    database.close()
    if (!job) return undefined
    return { ...(job as unknown as JournaledJob), unconfirmedReports: reports.map(({ state }) => String(state)) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  } finally {
    await rm(copy, { recursive: true })
  }
}
