/**
 * What a process takes of the memory for itself. Not the pages of its program's file, which `ps` adds as RSS: they are the same pages as
 * those of the file's cache, and the kernel takes them back whenever it needs some, so that they are 45 or 75 MB with the same agent.
 */
import { readFile } from 'node:fs/promises'

/** What an agent may take that has nothing to do. */
export const IDLE_OWN_MAX_BYTES = 60e6

/** At this moment. Linux alone tells. */
export async function ownBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  // Pages of a file that lies in a file system in memory count as shared memory, of which an agent has none.
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024
}
