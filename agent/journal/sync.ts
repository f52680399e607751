/**
 * Puts what SQLite has committed onto the disk, outside of SQLite: with `synchronous = FULL` each commit would hold up the whole
 * agent for an fsync (1 to 7 ms), while this one is shared by everybody who waits for it and blocks nobody. It is as good, for in
 * WAL mode with `synchronous = NORMAL` the log is the only place of what is not on disk yet.
 */
import { closeSync, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'

const sync = promisify(fdatasync)

/** @param databasePath of an open database in WAL mode. */
export function createSync(databasePath: string) {
  const log = openSync(`${databasePath}-wal`, 'r+')
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined

  async function syncAfter(previous: Promise<void>): Promise<void> {
    await Promise.allSettled([previous])
    next = undefined
    running = sync(log)
    await running
  }

  return {
    /** All that was committed before this call is on disk when the promise resolves. A sync that is running already may have missed it. */
    durable(): Promise<void> {
      next ??= syncAfter(running)
      return next
    },

    close: () => closeSync(log),
  }
}
