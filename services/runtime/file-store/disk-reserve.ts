/**
 * Free space of a disk that documents must leave, because the database and the logs of an installation are usually on
 * the same disk. New documents are refused below the reserve, so that accepted jobs can still be printed.
 */
import type { StatsFs } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createCache } from '../cache.ts'
import { ApiError } from '../errors.ts'

const RESERVE_MAX_BYTES = 2 * 1024 ** 3
/** A share of the whole disk, for small disks. */
const RESERVE_SHARE = 0.05
const CHECKED_FOR_MS = 1_000
const RETRY_AFTER_SECONDS = 60

export interface DiskReserve {
  /** @throws ApiError `storage_unavailable` below the reserve. */
  require(): Promise<void>
}

/**
 * @param path need not exist yet.
 * @param now milliseconds of a monotonic clock.
 */
export function createDiskReserve(path: string, now?: () => number): DiskReserve {
  const results = createCache<boolean>({ ttlMs: CHECKED_FOR_MS, max: 1, now })
  return {
    async require() {
      if (await results.get('', () => isBelowReserve(path))) throw full()
    },
  }
}

async function isBelowReserve(path: string): Promise<boolean> {
  const disk = await examine(path)
  if (!disk) return false
  const { bsize, blocks, bavail } = disk
  return bavail * bsize < Math.min(RESERVE_MAX_BYTES, blocks * bsize * RESERVE_SHARE)
}

/** @returns undefined if the disk cannot be examined. The next write then reports the reason. */
async function examine(path: string): Promise<StatsFs | undefined> {
  try {
    return await statfs(path)
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    return isMissing && dirname(path) !== path ? await examine(dirname(path)) : undefined
  }
}

const full = () =>
  new ApiError('storage_unavailable', 'The disk of the document store has too little free space. Try again later.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
