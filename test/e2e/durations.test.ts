/** Durations that an operator sets for `npm start`, and what follows from them through the shipped parts. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readCalls } from '../../agent/spoolers/virtual/call-log.ts'
import { makePdf } from '../harness/pdf.ts'
import { makeDataDir, removeDataDir, startPlaten } from '../harness/platen.ts'
import { waitFor } from '../harness/wait-for.ts'

/** A quarter of it passes before the printer begins. */
const PRINT_MS = 30_000

test('a job that prints for longer than the operator allows times out, and is taken out of the spooler', async () => {
  const platen = await startPlaten({
    env: { PLATEN_PRINTING_TIMEOUT_SECONDS: '1', PLATEN_VIRTUAL_PRINT_MS: String(PRINT_MS) },
  })
  onTestFinished(async () => {
    await platen.stop()
    await removeDataDir(platen.dataDir)
  })
  const { id: printerId } = await platen.api.printer('Test A4 Laser')
  const content = makePdf('Slow').toString('base64')
  const { id } = await platen.api.createJob({ printerId, title: 'Slow', contentType: 'pdf_base64', content })
  const job = await waitFor(async () => {
    const found = await platen.api.getJob(id)
    expect(found.state).toBe('error')
    return found
  }, PRINT_MS)
  expect(job).toMatchObject({ stateMessage: 'spooler timeout', stateReasons: ['spooler-timeout'] })
  await waitFor(async () => {
    const names = await readdir(platen.dataDir, { recursive: true })
    const logs = names.filter((name) => name.endsWith('handovers.jsonl'))
    const calls = logs.flatMap((name) => readCalls(join(platen.dataDir, name)))
    expect(calls.filter(({ token }) => token === id).map(({ call }) => call)).toEqual(['submit', 'release', 'remove'])
  })
})

test('a duration that is none is named by the start, which leaves nothing running', async () => {
  const dataDir = await makeDataDir()
  onTestFinished(() => removeDataDir(dataDir))
  const start = startPlaten({ dataDir, env: { PLATEN_PRINTING_TIMEOUT_SECONDS: 'soon' } })
  await expect(start).rejects.toThrow('PLATEN_PRINTING_TIMEOUT_SECONDS')
})
