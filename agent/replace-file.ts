import {
  closeSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { syncDirectory } from './sync-on-disk.ts'

/**
 * Writes a small private file. After a crash it has its old or its new content. Not synchronized, so a power failure
 * can lose it.
 */
export function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

/**
 * It is `replaceFile`, but after a power failure the file has its old or its new content as well. A file that root
 * writes gets the owner of the directory, because the agent may run as that user.
 *
 * @param warn called with a sentence if the file system refuses to change the owner.
 * @throws Error if the file keeps its old content.
 */
export function replaceFileDurably(
  path: string,
  text: string,
  warn: (sentence: string) => void = () => undefined,
): void {
  const newPath = `${path}.new`
  rmSync(newPath, { force: true })
  try {
    writeDurably(newPath, text, (file) => giveToOwner(file, path, warn))
    renameSync(newPath, path)
  } catch (error) {
    rmSync(newPath, { force: true })
    throw error
  }
  syncDirectory(dirname(path))
}

/** @param prepare called with the descriptor of the written file. */
function writeDurably(path: string, text: string, prepare: (file: number) => void): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    writeFileSync(file, text)
    prepare(file)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Changes the owner by the descriptor, because the owner of the directory could replace the file by a link. */
function giveToOwner(file: number, path: string, warn: (sentence: string) => void): void {
  if (process.getuid?.() !== 0) return
  const owner = statSync(dirname(path))
  const { uid, gid } = fstatSync(file)
  if (uid === owner.uid && gid === owner.gid) return
  try {
    fchownSync(file, owner.uid, owner.gid)
  } catch (error) {
    if (uid !== owner.uid)
      warn(
        `${path} belongs to user ${uid} and not to user ${owner.uid}, the owner of its directory, because the change was refused: ${(error as Error).message}. Run the agent as user ${uid}.`,
      )
  }
}
