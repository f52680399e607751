/** What a process takes of the memory. */
import { readFile } from 'node:fs/promises'

/** What an agent may take that has nothing to do. */
export const IDLE_RSS_MAX_BYTES = 90e6

/** At this moment. Linux alone tells. */
export async function rssBytes(pid: number): Promise<number> {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}
