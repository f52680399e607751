import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SpoolerCall } from '../history.ts'
import { appendSpoolerCall, nextSpoolerCall, readSpoolerCalls } from '../system/spooler-calls.ts'

const CALL: SpoolerCall = {
  call: 'release',
  agent: 'agent-0',
  token: 'job',
  spoolerJobId: 'job at the spooler',
  printer: 'Test A4 Laser',
  sha256: '00',
  qty: 1,
  atMs: 0,
}

function makeRecord(...calls: SpoolerCall[]): string {
  const path = join(mkdtempSync(join(tmpdir(), 'platen-calls-')), 'calls.jsonl')
  writeFileSync(path, '')
  for (const call of calls) appendSpoolerCall(path, call)
  return path
}

test('the next call is one of this agent and kind that was not there before', async () => {
  const path = makeRecord(CALL)
  let isThere = false
  const next = nextSpoolerCall(path, CALL, AbortSignal.timeout(20_000)).then(() => {
    isThere = true
  })
  for (const other of [{ agent: 'agent-1' }, { call: 'submit' as const }])
    appendSpoolerCall(path, { ...CALL, ...other })
  await expect(nextSpoolerCall(path, { agent: 'agent-2', call: 'submit' }, AbortSignal.timeout(100))).rejects.toThrow()
  expect(isThere).toBe(false)
  appendSpoolerCall(path, CALL)
  await next
})

test('a line that is being written is no call yet', () => {
  const path = makeRecord(CALL)
  appendFileSync(path, JSON.stringify(CALL).slice(0, 20))
  expect(readSpoolerCalls(path)).toEqual([CALL])
})
