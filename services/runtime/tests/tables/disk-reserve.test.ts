import { type Disk, mockDisk } from '@platen/test/harness/disk.ts'
import { expect, test } from 'vitest'
import { createDiskReserve } from '../../file-store/disk-reserve.ts'

const GIBIBYTE = 1024 ** 3

test.each([
  ['2 GiB of a large disk', 100 * GIBIBYTE, 2 * GIBIBYTE],
  ['5 % of a small disk', 10 * GIBIBYTE, GIBIBYTE / 2],
])('the reserve is %s', async (_, total, reserve) => {
  const disk: Disk = { total, free: reserve }
  mockDisk(() => disk)
  await createDiskReserve('/files').require()
  disk.free--
  const refused = { code: 'storage_unavailable', retryAfterSeconds: 60 }
  await expect(createDiskReserve('/files').require()).rejects.toMatchObject(refused)
})

test('the free space is known for less than a second', async () => {
  let now = 1
  let free = 0
  const spy = mockDisk(() => ({ total: GIBIBYTE, free }))
  const reserve = createDiskReserve('/files', () => now)
  await Promise.all([1, 2].map(() => expect(reserve.require()).rejects.toThrow('space')))
  free = GIBIBYTE
  now += 499
  await expect(reserve.require()).rejects.toThrow('space')
  expect(spy).toHaveBeenCalledTimes(1)
  now += 501
  await reserve.require()
  expect(spy).toHaveBeenCalledTimes(2)
})

test('before the first document the disk is that of the directory above', async () => {
  mockDisk((path) => {
    if (path !== '/data') throw Object.assign(new Error('missing'), { code: 'ENOENT' })
    return { total: GIBIBYTE, free: 0 }
  })
  await expect(createDiskReserve('/data/platen/files').require()).rejects.toThrow('space')
})

test('a disk that cannot be examined is reported by the next write, not here', async () => {
  mockDisk(() => {
    throw Object.assign(new Error('no permission'), { code: 'EACCES' })
  })
  await createDiskReserve('/files').require()
})
