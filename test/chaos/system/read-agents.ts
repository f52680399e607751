/** What the agents of a system remember. Read by the harness, also while they run. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readJournal } from '@platen/deploy/inspect/agent-journal.ts'
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

/** None of an agent that has not begun yet. */
async function readUnsettled(directory: string): Promise<string[]> {
  const ids = await readJournal(directory, (journal) =>
    journal.prepare('SELECT id FROM job WHERE settled_at IS NULL ORDER BY sequence').all(),
  )
  return (ids ?? []).map(({ id }) => String(id))
}

async function readWelcomes(path: string): Promise<number[]> {
  if (!existsSync(path)) return []
  const text = await readFile(path, 'utf8')
  return text.split('\n').slice(0, -1).map(Number)
}
