/** Settings of the processes of `npm start` that depend on the memory of the machine, or of its container. */
import { totalmem } from 'node:os'

const GIB = 1024 ** 3

export interface MemorySettings {
  sharedBuffers: string
  /** PostgreSQL permits so many. The services need 66. */
  connections: number
  /** V8 gives a process twice this for young objects, in MB. */
  semiSpace: number
}

/**
 * - PostgreSQL: the file cache of the system holds what the buffers do not.
 * - Young objects: without a limit, 16 uploads of 25 MB use about 120 MB more than with 16. With 64, a job under load
 *   costs 5 % less CPU than with 16, and the services have 50 to 90 MB more.
 */
export function toMemorySettings(bytes: number): MemorySettings {
  if (bytes < 2 * GIB) return { sharedBuffers: '32MB', connections: 80, semiSpace: 8 }
  return { sharedBuffers: '64MB', connections: 200, semiSpace: bytes < 8 * GIB ? 16 : 64 }
}

/** A container without a limit has none, or a number far above the memory of the machine. */
export const memorySettings = toMemorySettings(
  Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
)
