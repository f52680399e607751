/**
 * Where the temporary files of a run are: in memory where the machine has enough, since most of what tests wait for a disk is the making
 * and deleting of a thousand databases, else in the usual directory. All of it is deleted with the run.
 */
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux keeps it in memory. A container's is often 64 MB. */
const IN_MEMORY = '/dev/shm'

/** Three times what a run of all tests has at once. */
const ENOUGH_BYTES = 4 * 1024 ** 3

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export async function withScratch<Result>(run: (directory: string) => Promise<Result>): Promise<Result> {
  const parent = (await hasEnoughMemory()) ? IN_MEMORY : tmpdir()
  const directory = await mkdtemp(join(parent, 'platen-'))
  // What was started ends by it as well, and only then nobody writes here any more.
  let ending: NodeJS.Signals | undefined
  const remember = (signal: NodeJS.Signals) => {
    ending = signal
  }
  for (const signal of ENDING) process.on(signal, remember)
  try {
    // PostgreSQL and CUPS run as users of their own.
    await chmod(directory, 0o711)
    return await run(directory)
  } finally {
    // Servers whose test was interrupted still end, and write until then.
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    for (const signal of ENDING) process.off(signal, remember)
    if (ending) process.kill(process.pid, ending)
  }
}

/** @param directory of a run. */
export const isInMemory = (directory: string): boolean => directory.startsWith(`${IN_MEMORY}/`)

async function hasEnoughMemory(): Promise<boolean> {
  const free = await statfs(IN_MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  return free >= ENOUGH_BYTES && process.availableMemory() >= 2 * ENOUGH_BYTES
}
