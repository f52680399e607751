/**
 * Limits the printed documents of all test computers together, because they share a disk. The computers with the most
 * lose their oldest ones, so that documents of one organization do not take the space in which jobs of others wait.
 */
import { mkdir, readdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { openVirtualJobs } from '@platen/agent/spoolers/virtual/virtual-spooler.ts'

/** A share of the disk. The rest is for waiting documents, journals, and other programs. */
const DISK_SHARE = 0.5

/** A virtual printer has printed a document, and does not read it again. */
const PRINTED_AFTER_MS = 60_000

/** The directory of the virtual spooler of a test computer. @param directory of all test computers. */
export const getSpoolerDirectory = (directory: string, computerId: string) => join(directory, computerId, 'virtual')

/** @returns the bytes of all printed documents that the disk of the directory may hold. */
export async function getPrintedMaxBytes(directory: string): Promise<number> {
  await mkdir(directory, { recursive: true })
  const { bsize, blocks } = await statfs(directory)
  return bsize * blocks * DISK_SHARE
}

/** @param directory contains a directory for each computer, also for those that no longer exist. */
export async function limitPrintedDocuments(directory: string, maxBytes: number): Promise<void> {
  const computerIds = await readdir(directory)
  const shrink = (computerId: string, bytes: number) =>
    openVirtualJobs(getSpoolerDirectory(directory, computerId)).shrink(
      bytes,
      (_, storedAtMs) => storedAtMs < Date.now() - PRINTED_AFTER_MS,
    )
  const stored: number[] = []
  for (const computerId of computerIds) stored.push(await shrink(computerId, Number.POSITIVE_INFINITY))
  const share = findShare(stored, maxBytes)
  for (const [index, computerId] of computerIds.entries())
    if ((stored[index] ?? 0) > share) await shrink(computerId, share)
}

/** @returns the largest share with which the sum of the sizes, each at most the share, is within `max`. */
function findShare(sizes: number[], max: number): number {
  let left = max
  for (const [index, size] of sizes.toSorted((a, b) => a - b).entries()) {
    const share = left / (sizes.length - index)
    if (size > share) return share
    left -= size
  }
  return Number.POSITIVE_INFINITY
}
