import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLogger } from '../../log.ts'
import { openLogOutput } from '../../log-output.ts'

test('a lost database connection is logged with its reason, without the connection and its prepared statements', () => {
  const lines: string[] = []
  const log = createLogger('test', 'warn', { write: (line) => void lines.push(line) })
  const message = 'terminating connection due to administrator command'
  // `pg` emits it in this form: with the whole client.
  const client = Object.assign(new Client(), { preparedStatements: { one: 'SELECT $1::text' } })
  log.warn({ err: Object.assign(new Error(message), { code: '57P01', client }) }, 'connection lost')
  const { err } = JSON.parse(lines[0] ?? '')
  expect(err).toEqual({ type: 'Error', message, code: '57P01', stack: expect.stringContaining('at ') })
})

test('lines wait while standard output cannot be written, are completed, and above 1 MB are dropped and counted', async () => {
  vi.useFakeTimers()
  const disk = { free: 30, content: '' }
  const spy = vi.spyOn(fs, 'write').mockImplementation(((
    _: number,
    bytes: Buffer,
    done: (...result: unknown[]) => void,
  ) => {
    const written = bytes.subarray(0, disk.free)
    disk.free -= written.length
    disk.content += written
    const error = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    queueMicrotask(() => (written.length === 0 ? done(error) : done(null, written.length)))
  }) as typeof fs.write)
  syncBuiltinESMExports()
  onTestFinished(() => {
    spy.mockRestore()
    syncBuiltinESMExports()
    vi.useRealTimers()
  })
  const output = openLogOutput(1)
  const lines = ['first', 'second', 'x'.repeat(1_000_000), 'y'.repeat(100_000), 'third']
  for (const line of lines) output.write(`{"msg":"${line}"}\n`)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(disk.content).toHaveLength(30)
  disk.free = 2_000_000
  await vi.advanceTimersByTimeAsync(100)
  output.write('{"msg":"fourth"}\n')
  await vi.advanceTimersByTimeAsync(0)
  const written = disk.content
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const short = written.map(({ msg, dropped_lines }) => dropped_lines ?? msg.slice(0, 6))
  expect(short).toEqual(['first', 'second', 'xxxxxx', 'third', 1, 'fourth'])
})
