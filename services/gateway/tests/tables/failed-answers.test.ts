import { systemClock } from '@platen/runtime/clock.ts'
import { createLogger } from '@platen/runtime/log.ts'
import { expect, test } from 'vitest'
import { createApp } from '../../app.ts'
import type { Gateway } from '../../gateway.ts'

test.each([
  ['a defect is logged as an error', new TypeError('not serializable'), ['error']],
  ['a client that has closed the connection is not', Object.assign(new Error('write'), { code: 'EPIPE' }), []],
  ['a client that has reset the connection is not', Object.assign(new Error('read'), { code: 'ECONNRESET' }), []],
])('when an answer cannot be written, %s', (_title, error, levels) => {
  const lines: string[] = []
  const log = createLogger('gateway', 'info', { write: (line) => void lines.push(line) })
  const gateway: Partial<Gateway> = { log, clock: systemClock, stopping: new AbortController().signal }
  createApp(gateway as Gateway).emit('error', error)
  expect(lines.map((line) => JSON.parse(line).level)).toEqual(levels)
})
