/**
 * What a process takes of the memory for itself. Not the pages of its program's file, which `ps` adds as RSS: they are the same pages as
 * those of the file's cache, and the kernel takes them back whenever it needs some, so that they are 45 or 75 MB with the same agent.
 */
import { readFile } from 'node:fs/promises'

/** What an agent may take that has nothing to do. */
export const IDLE_OWN_MAX_BYTES = 60e6

/** What is mapped and has no file: memory that programs share looks as if it had one. */
const SHARED = /^\/(memfd:|dev\/zero |SYSV)/

/**
 * At this moment. Linux alone tells. Mapping by mapping: where the file system of the program is in memory, the sums of `status` count the
 * program as memory that is shared.
 */
export async function ownBytes(pid: number): Promise<number> {
  const lines = (await readFile(`/proc/${pid}/smaps`, 'utf8')).split('\n')
  let kilobytes = 0
  let ofFile = false
  for (const line of lines) {
    const [, inode, path = ''] = /^[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ (\d+) *(.*)$/.exec(line) ?? []
    if (inode !== undefined) ofFile = inode !== '0' && !SHARED.test(path)
    const [, name, size] = /^(Rss|Anonymous): +(\d+) kB$/.exec(line) ?? []
    if (name === (ofFile ? 'Anonymous' : 'Rss')) kilobytes += Number(size)
  }
  // A process that tells nothing takes nothing, which would pass as little.
  if (kilobytes === 0) throw new Error(`no memory of process ${pid} is known`)
  return kilobytes * 1024
}
