import { appendFileSync, mkdirSync, readFileSync, rmdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { lastErrorLine } from '../../launcher/process-log.ts'
import { openRunRecord } from '../../launcher/run-record.ts'
import { temporaryDirectory } from '../temporary-directory.ts'

test('a record of the running processes that cannot be written is written later', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const file = join(await temporaryDirectory(), 'run.json')
  const record = openRunRecord(file, { ports: {}, opsUrl: '' })
  // A directory has the name of the temporary file.
  mkdirSync(`${file}.new`)
  record.setPid('postgres', 7)
  const read = () => JSON.parse(readFileSync(file, 'utf8')).processes
  vi.advanceTimersByTime(5_000)
  expect(read()).toEqual({})
  rmdirSync(`${file}.new`)
  vi.advanceTimersByTime(5_000)
  expect(read()).toEqual({ postgres: 7 })
  record.close()
})

test('the last error of a process is found after its log was truncated, and without its log', async () => {
  const file = join(await temporaryDirectory(), 'postgres.log')
  writeFileSync(file, 'FATAL: an earlier error\n'.repeat(10))
  const log = { file, offset: 240 }
  truncateSync(file)
  appendFileSync(file, 'FATAL: the disk is full\n')
  expect(lastErrorLine(log)).toBe('FATAL: the disk is full')
  rmSync(file)
  expect(lastErrorLine(log)).toBe('')
})
