import { spawnSync } from 'node:child_process'
import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { makePdf } from '../harness/pdf.ts'
import { type Platen, removeDataDir, startPlaten } from '../harness/platen.ts'
import { waitFor } from '../harness/wait-for.ts'

const SCRIPT = new URL('../../deploy/inspect/main.ts', import.meta.url).pathname

function inspect(platen: Platen, ...args: string[]) {
  const env = { ...process.env, PLATEN_DATA_DIR: platen.dataDir }
  return spawnSync(process.execPath, [SCRIPT, ...args], { env, encoding: 'utf8' })
}

test('one screen shows a job across all services, and what cannot be shown is said in one sentence', async () => {
  const platen = await startPlaten()
  onTestFinished(async () => {
    await platen.stop()
    await removeDataDir(platen.dataDir)
  })
  const { id: printerId } = await platen.api.printer('Test A4 Laser')
  const content = makePdf('Hello').toString('base64')
  const { id } = await platen.api.createJob({ printerId, title: 'Inspected', contentType: 'pdf_base64', content })
  const job = await platen.api.waitUntilFinal(id)

  // Who hears of the last event, and the agent, come behind the job's end.
  const stdout = await waitFor(() => {
    const shown = inspect(platen, 'job', id)
    expect(shown).toMatchObject({ status: 0 })
    expect(shown.stdout).toContain('every event was published and confirmed')
    expect(shown.stdout).toMatch(/agent's journal\n {2}done since .*, settled /)
    return shown.stdout
  })
  for (const fact of [id, 'Inspected', job.fileSha256, 'Test A4 Laser', 'online, epoch 1', 'sent          1 times'])
    expect(stdout).toContain(fact)
  const states = stdout.match(/\b(queued|sent|received|printing|done) {2,}(api|system|agent)/g)
  expect(states?.map((match) => match.split(/ +/))).toEqual([
    ['queued', 'api'],
    ['sent', 'system'],
    ['received', 'agent'],
    ['printing', 'agent'],
    ['done', 'agent'],
  ])

  expect(inspect(platen, 'job', uuidv7())).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/^There is no job .*\.\n$/),
  })
  expect(inspect(platen, 'job')).toMatchObject({ status: 1, stderr: 'Usage: npm run inspect job <id>\n' })
})
