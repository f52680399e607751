/**
 * The private memory of a process, without pages of its executable. Those belong to the file cache and can be evicted
 * by the kernel, so the RSS of the same agent varies between 45 and 75 MB.
 */
import { readFile } from 'node:fs/promises'

/** The maximum of an idle agent. */
export const IDLE_PRIVATE_MAX_BYTES = 60e6

/** Mappings of shared memory, which have a path but no file. */
const SHARED = /^\/(memfd:|dev\/zero |SYSV)/

/** Linux only. Sums the mappings, because `status` counts a program on an in-memory file system as shared. */
export async function getPrivateBytes(pid: number): Promise<number> {
  let kilobytes = 0
  let isFileMapping = false
  for (const line of (await readFile(`/proc/${pid}/smaps`, 'utf8')).split('\n')) {
    const [, inode, path = ''] = /^[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ (\d+) *(.*)$/.exec(line) ?? []
    if (inode !== undefined) isFileMapping = inode !== '0' && !SHARED.test(path)
    const [, name, size] = /^(Rss|Anonymous): +(\d+) kB$/.exec(line) ?? []
    if (name === (isFileMapping ? 'Anonymous' : 'Rss')) kilobytes += Number(size)
  }
  if (kilobytes === 0) throw new Error(`the memory of process ${pid} is unknown`)
  return kilobytes * 1024
}
