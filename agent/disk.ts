/** The free space of the disk with the data directory. */
import { statfs } from 'node:fs/promises'

/** Free space that documents leave for the computer: this, or a share of a small disk. */
const RESERVE_MAX_BYTES = 500_000_000
const RESERVE_SHARE = 0.05

/** A keyword of jobs and printers. Reference: docs/reference/state-reasons.md. */
export const DISK_FULL = 'computer-disk-full'

/** @returns the bytes that documents can use; negative while the reserve is in use, and without free inodes. */
export async function getFreeBytes(dir: string): Promise<number> {
  const { bsize, blocks, bavail, files, ffree } = await statfs(dir)
  // Some file systems have no fixed number of inodes and report 0.
  if (files > 0 && ffree === 0) return -1
  return bavail * bsize - Math.min(RESERVE_MAX_BYTES, blocks * bsize * RESERVE_SHARE)
}
