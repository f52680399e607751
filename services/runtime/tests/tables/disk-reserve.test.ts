import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { afterEach, expect, test, vi } from 'vitest'
import { createDiskReserve } from '../../file-store/disk-reserve.ts'

const GIBIBYTE = 1024 ** 3

afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

/** @param statfs stands for a disk. */
function withDisk(statfs: (path: string) => { total: number; free: number }) {
  const spy = vi.spyOn(promises, 'statfs').mockImplementation((async (path: string) => {
    const { total, free } = statfs(path)
    return { bsize: 1, blocks: total, bavail: free }
  }) as typeof promises.statfs)
  syncBuiltinESMExports()
  return spy
}

test.each([
  ['2 GiB of a large disk', 100 * GIBIBYTE, 2 * GIBIBYTE],
  ['5 % of a small disk', 10 * GIBIBYTE, GIBIBYTE / 2],
])('the reserve is %s', async (_, total, reserve) => {
  withDisk(() => ({ total, free: reserve }))
  await createDiskReserve('/files').require()
  withDisk(() => ({ total, free: reserve - 1 }))
  const refused = { code: 'storage_unavailable', retryAfterSeconds: 60 }
  await expect(createDiskReserve('/files').require()).rejects.toMatchObject(refused)
})

test('the free space is read once a second', async () => {
  let now = 1
  let free = 0
  const spy = withDisk(() => ({ total: GIBIBYTE, free }))
  const reserve = createDiskReserve('/files', () => now)
  await Promise.all([1, 2].map(() => expect(reserve.require()).rejects.toThrow('space')))
  free = GIBIBYTE
  now += 999
  await expect(reserve.require()).rejects.toThrow('space')
  expect(spy).toHaveBeenCalledTimes(1)
  now += 1
  await reserve.require()
  expect(spy).toHaveBeenCalledTimes(2)
})

test('before the first document the disk is that of the directory above', async () => {
  withDisk((path) => {
    if (path !== '/data') throw Object.assign(new Error('missing'), { code: 'ENOENT' })
    return { total: GIBIBYTE, free: 0 }
  })
  await expect(createDiskReserve('/data/platen/files').require()).rejects.toThrow('space')
})

test('a disk that cannot be examined is reported by the next write, not here', async () => {
  withDisk(() => {
    throw Object.assign(new Error('no permission'), { code: 'EACCES' })
  })
  await createDiskReserve('/files').require()
})
