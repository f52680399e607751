/**
 * The directory for temporary files of a run: in memory if the machine has enough, because tests spend most disk time
 * on creating and deleting a thousand databases, otherwise the usual directory. Deleted at the end of the run.
 */
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** In memory on Linux. Often only 64 MB in containers. */
const IN_MEMORY = '/dev/shm'

/** Three times the peak of a run of all tests. */
const ENOUGH_BYTES = 4 * 1024 ** 3

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export async function withScratch<Result>(run: (directory: string) => Promise<Result>): Promise<Result> {
  const parent = (await hasEnoughMemory()) ? IN_MEMORY : tmpdir()
  const directory = await mkdtemp(join(parent, 'platen-'))
  // Child processes get the signal too and stop writing before the deletion.
  let ending: NodeJS.Signals | undefined
  const recordSignal = (signal: NodeJS.Signals) => {
    ending = signal
  }
  for (const signal of ENDING) process.on(signal, recordSignal)
  try {
    // PostgreSQL and CUPS run as other users.
    await chmod(directory, 0o711)
    return await run(directory)
  } finally {
    // Servers of interrupted tests write until they have stopped.
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    for (const signal of ENDING) process.off(signal, recordSignal)
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
