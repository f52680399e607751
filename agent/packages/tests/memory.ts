/**
 * The memory that a process takes for itself, without the pages of its program's file: those belong to the file cache, and the kernel takes
 * them back whenever it needs some, so that RSS is 45 or 75 MB with the same agent.
 */
import { readFile } from 'node:fs/promises'

/** What an idle agent may take. */
export const IDLE_OWN_MAX_BYTES = 60e6

/** Mapped and without a file, although shared memory looks as if it had one. */
const SHARED = /^\/(memfd:|dev\/zero |SYSV)/

/** Linux only. Sums mappings: `status` counts a program on a file system in memory as shared. */
export async function ownBytes(pid: number): Promise<number> {
  let kilobytes = 0
  let ofFile = false
  for (const line of (await readFile(`/proc/${pid}/smaps`, 'utf8')).split('\n')) {
    const [, inode, path = ''] = /^[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ (\d+) *(.*)$/.exec(line) ?? []
    if (inode !== undefined) ofFile = inode !== '0' && !SHARED.test(path)
    const [, name, size] = /^(Rss|Anonymous): +(\d+) kB$/.exec(line) ?? []
    if (name === (ofFile ? 'Anonymous' : 'Rss')) kilobytes += Number(size)
  }
  if (kilobytes === 0) throw new Error(`no memory of process ${pid} is known`)
  return kilobytes * 1024
}
