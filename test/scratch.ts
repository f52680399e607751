/**
 * Where the temporary files of a run are: in memory where the machine has enough, since most of what tests wait for a disk is the making
 * and deleting of a thousand databases, else in the usual directory. All of it is deleted with the run.
 */
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux keeps it in memory. A container's is often 64 MB. */
const IN_MEMORY = '/dev/shm'

/** Twice what a run of all tests has at once. */
const ENOUGH_BYTES = 8 * 1024 ** 3

export async function withScratch<Result>(run: (directory: string) => Promise<Result>): Promise<Result> {
  const parent = (await hasEnoughMemory()) ? IN_MEMORY : tmpdir()
  const directory = await mkdtemp(join(parent, 'platen-'))
  try {
    // PostgreSQL and CUPS run as users of their own.
    await chmod(directory, 0o711)
    return await run(directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function hasEnoughMemory(): Promise<boolean> {
  const free = await statfs(IN_MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  return free >= ENOUGH_BYTES && process.availableMemory() >= 2 * ENOUGH_BYTES
}
