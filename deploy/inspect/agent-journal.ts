/** What the journal of an agent on this machine says of one job. */
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
 * @returns undefined when there is no journal here, or it does not know the job.
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
 * Reads a copy: the agent holds the lock of its journal for as long as it runs.
 *
 * @param directory the agent's data directory.
 * @returns what `read` returned; undefined when there is no journal here.
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
 * The journal and its log, which an agent that ended has none of, as of one moment: what the agent moves from the one into the other
 * meanwhile would be in neither, or half in both.
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
