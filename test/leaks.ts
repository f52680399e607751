/**
 * Finds processes that a test run started and did not end: all its descendants inherit a mark in their environment, by which they are
 * known even when their parents are gone. Where there is no `/proc` nothing can be found.
 */
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

const VARIABLE = 'PLATEN_TEST_RUN'

/** Marks this process's descendants from now on. */
export function markRun(): string {
  const mark = randomUUID()
  process.env[VARIABLE] = mark
  return `${VARIABLE}=${mark}`
}

/** @returns pid and command of each process that bears the mark; this process has it in memory alone. */
export async function findLeaks(mark: string): Promise<string[]> {
  const entries = await readdir('/proc').catch(() => [])
  const leaks: string[] = []
  for (const pid of entries.filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
    if (!environment.split('\0').includes(mark)) continue
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    // A process that is just ending has an empty command line.
    if (command !== '') leaks.push(`${pid} ${command.replaceAll('\0', ' ').trim()}`)
  }
  return leaks
}
