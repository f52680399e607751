/** Reads a job from the journal of an agent on this machine. */
import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const JOURNAL = 'journal.sqlite'
const LOG = `${JOURNAL}-wal`

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
 * @param directory the agent's data directory.
 * @returns undefined if the journal does not exist or does not contain the job.
 */
export async function readAgentJournal(directory: string, jobId: string): Promise<JournaledJob | undefined> {
  return await readJournal(directory, (journal) => {
    const job = journal.prepare('SELECT * FROM job WHERE id = ?').get(jobId)
    const reports = journal.prepare('SELECT state FROM report WHERE job_id = ? ORDER BY sequence').all(jobId)
    if (!job) return undefined
    return { ...(job as unknown as JournaledJob), unconfirmedReports: reports.map(({ state }) => String(state)) }
  })
}

/**
 * Reads a copy, because a running agent locks its journal.
 *
 * @param directory the agent's data directory.
 * @returns the result of `read`; undefined if the journal does not exist.
 */
export async function readJournal<T>(directory: string, read: (journal: DatabaseSync) => T): Promise<T | undefined> {
  const copy = await mkdtemp(join(tmpdir(), 'platen-journal-'))
  try {
    await copyJournal(directory, copy)
    const journal = new DatabaseSync(join(copy, JOURNAL))
    const found = read(journal)
    journal.close()
    return found
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  } finally {
    await rm(copy, { recursive: true })
  }
}

/**
 * Copies a consistent state of the journal and its write-ahead log. Repeats the copy if a checkpoint changed the
 * journal meanwhile. After the end of the agent, the log does not exist.
 */
async function copyJournal(directory: string, copy: string): Promise<void> {
  const changedAt = async () => (await stat(join(directory, JOURNAL), { bigint: true })).mtimeNs
  let before: bigint
  do {
    before = await changedAt()
    await copyFile(join(directory, JOURNAL), join(copy, JOURNAL))
    await copyFile(join(directory, LOG), join(copy, LOG)).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      await rm(join(copy, LOG), { force: true })
    })
  } while ((await changedAt()) !== before)
}
