/**
 * What a power failure would leave: the files and directories that are synced to disk, each with the names that its
 * directory had then.
 */
import fs, { fstatSync, readdirSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export interface Sync {
  /** The file; `.` is the directory itself. */
  name: string
  /** The names in the directory. */
  files: string[]
}

/** @returns the syncs of the directory and its files from now on, until the end of the test. */
export async function recordSyncs(dir: string): Promise<Sync[]> {
  const syncs: Sync[] = []
  const record = (fd: number) => {
    const { ino } = fstatSync(fd)
    const name = ['.', ...readdirSync(dir)].find((entry) => statSync(join(dir, entry)).ino === ino)
    if (name) syncs.push({ name, files: readdirSync(dir).toSorted() })
  }
  const handle = await open(dir)
  const prototype = Object.getPrototypeOf(handle) as typeof handle
  await handle.close()
  const { sync } = prototype
  const { fsyncSync } = fs
  prototype.sync = async function () {
    await sync.call(this)
    record(this.fd)
  }
  fs.fsyncSync = (fd) => {
    fsyncSync(fd)
    record(fd)
  }
  syncBuiltinESMExports()
  onTestFinished(() => {
    prototype.sync = sync
    fs.fsyncSync = fsyncSync
    syncBuiltinESMExports()
  })
  return syncs
}
