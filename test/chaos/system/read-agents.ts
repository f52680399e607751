/** What the agents of a system remember. Read by the harness, also while they run. */
import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { AgentFacts } from '../history.ts'
import type { Tenant } from './chaos-system.ts'

/**
 * @param name of its process.
 * @param directory the agent's data directory.
 */
export async function readAgent(name: string, directory: string, tenant: Tenant): Promise<AgentFacts> {
  const { computerId, organizationId } = tenant
  return {
    name,
    computerId,
    organizationId,
    unsettledJobIds: await readUnsettled(directory),
    welcomedAtMs: await readWelcomes(join(directory, 'welcomes')),
  }
}

/** Reads a copy: the agent holds the lock of its journal for as long as it runs. */
async function readUnsettled(directory: string): Promise<string[]> {
  const copy = await mkdtemp(join(tmpdir(), 'platen-journal-'))
  try {
    await copyJournal(directory, copy)
    const database = new DatabaseSync(join(copy, 'journal.sqlite'))
    const rows = database.prepare('SELECT id FROM job WHERE settled_at IS NULL ORDER BY sequence').all()
    database.close()
    return rows.map(({ id }) => String(id))
  } finally {
    await rm(copy, { recursive: true })
  }
}

/** Both files as of one moment: what the agent moves from its log into the journal meanwhile would be in neither or half in both. */
async function copyJournal(directory: string, copy: string): Promise<void> {
  const changedAt = async () => (await stat(join(directory, 'journal.sqlite'), { bigint: true })).mtimeNs
  let before: bigint
  do {
    before = await changedAt()
    for (const name of ['journal.sqlite', 'journal.sqlite-wal'])
      if (existsSync(join(directory, name))) await copyFile(join(directory, name), join(copy, name))
  } while ((await changedAt()) !== before)
}

async function readWelcomes(path: string): Promise<number[]> {
  if (!existsSync(path)) return []
  const text = await readFile(path, 'utf8')
  return text.split('\n').slice(0, -1).map(Number)
}
