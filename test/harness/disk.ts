/** The free space of disks, as the services of this process see it. */
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { onTestFinished, vi } from 'vitest'

export interface Disk {
  /** Bytes. */
  total: number
  free: number
}

/** Until the end of the test. @param examine throws what `statfs` throws. @returns the spy. */
export function mockDisk(examine: (path: string) => Disk) {
  const spy = vi.spyOn(promises, 'statfs').mockImplementation((async (path: string) => {
    const { total, free } = examine(path)
    return { bsize: 1, blocks: total, bavail: free }
  }) as typeof promises.statfs)
  syncBuiltinESMExports()
  onTestFinished(() => {
    spy.mockRestore()
    syncBuiltinESMExports()
  })
  return spy
}
