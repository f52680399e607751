import { expect, test } from 'vitest'
import { toMemorySettings } from '../../launcher/memory-settings.ts'

const GIB = 1024 ** 3

test.each([
  [2 * GIB - 1, { sharedBuffers: '32MB', connections: 80, semiSpace: 8 }],
  [2 * GIB, { sharedBuffers: '64MB', connections: 200, semiSpace: 16 }],
  [8 * GIB - 1, { sharedBuffers: '64MB', connections: 200, semiSpace: 16 }],
  [8 * GIB, { sharedBuffers: '64MB', connections: 200, semiSpace: 64 }],
])('PostgreSQL and the services of a machine with %i bytes use as much memory as it permits', (bytes, settings) => {
  expect(toMemorySettings(bytes)).toEqual(settings)
})
