/** Reads the data directory with the rights of its owner. */
import { statSync } from 'node:fs'

/**
 * Root calls the function with the effective user and group of the owner of the directory, because that user can
 * replace files of the directory by links to files that only root can read. Other users, and root in its own or a
 * missing directory, call it as they are.
 */
export async function asOwner<T>(dir: string, read: () => Promise<T>): Promise<T> {
  const owner = statSync(dir, { throwIfNoEntry: false })
  const { geteuid, setgroups, setegid, seteuid } = process
  if (!owner || owner.uid === 0 || geteuid?.() !== 0 || !setgroups || !setegid || !seteuid) return await read()
  const [groups, group] = [process.getgroups?.() ?? [], process.getegid?.() ?? 0]
  setgroups([owner.gid])
  setegid(owner.gid)
  seteuid(owner.uid)
  try {
    return await read()
  } finally {
    seteuid(0)
    setegid(group)
    setgroups(groups)
  }
}
