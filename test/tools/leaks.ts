/**
 * Finds leaked processes of a test run by a mark in the environment that all descendants inherit, even after their
 * parents have exited. Requires `/proc`; finds nothing on other systems.
 */
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

const VARIABLE = 'PLATEN_TEST_RUN'

/** Marks all future descendants of this process. */
export function markRun(): string {
  const mark = randomUUID()
  process.env[VARIABLE] = mark
  return `${VARIABLE}=${mark}`
}

/** @returns pid and command of each process with the mark, except this process, which has it only in memory. */
export async function findLeaks(mark: string): Promise<string[]> {
  const entries = await readdir('/proc').catch(() => [])
  const leaks: string[] = []
  for (const pid of entries.filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
    if (!environment.split('\0').includes(mark)) continue
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    // The command line of an exiting process is empty.
    if (command !== '') leaks.push(`${pid} ${command.replaceAll('\0', ' ').trim()}`)
  }
  return leaks
}
