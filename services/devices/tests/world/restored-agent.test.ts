/** The agent as it is shipped, whose computer is restored from a backup. */
import { cpSync } from 'node:fs'
import { createQuickSpooler, makeDataDir, readSpoolerCalls, startAgent } from '@platen/agent/tests/start-agent.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { startTestDevices } from '../start-test-devices.ts'

test('a computer that is restored from a backup prints nothing again that ended after the backup, in whichever phase its jobs were', async () => {
  proves('agent.restored')
  const { world, enroll, printers, createJob, becomes } = await startTestDevices()
  const { credential } = await enroll()
  const start = (dataDir: string, spooler = createQuickSpooler(dataDir)) =>
    startAgent({ url: `http://${world.agentAddress}` }, { dataDir, credential, spooler })

  const dataDir = makeDataDir()
  const virtual = createQuickSpooler(dataDir)
  const resume = Promise.withResolvers<void>()
  const waiting: string[] = []
  const pause = async (at: string) => {
    waiting.push(at)
    await resume.promise
  }
  const agent = start(dataDir, {
    ...virtual,
    async submitHeld(submission) {
      if (submission.printerOsName === 'Test A4 Laser') await pause('before the submission')
      const submitted = await virtual.submitHeld(submission)
      if (submission.printerOsName === 'Test Letter Color') await pause('after the submission')
      return submitted
    },
    async release(id) {
      await pause('before the release')
      await virtual.release(id)
    },
  })
  const reported = await waitFor(async () => {
    const found = await printers()
    expect(found).toHaveLength(4)
    return found.filter(({ osName }) => osName !== 'Test Receipt 80mm')
  })
  const label = reported.find(({ osName }) => osName === 'Test Label 4x6')
  const print = async () => {
    const ids: string[] = []
    for (const printer of reported) {
      const facts = printer === label ? { contentType: 'raw_base64' } : {}
      ids.push(await createJob(printer, facts, printer === label ? '^XA^XZ' : '%PDF-1.7'))
    }
    return ids
  }
  const before = await print()
  // They wait in the agent behind the first ones.
  before.push(...(await print()))
  for (const jobId of before) await becomes(jobId, { state: 'received' })
  await waitFor(() => expect(waiting).toHaveLength(3))
  const backup = makeDataDir()
  cpSync(dataDir, backup, { recursive: true })
  resume.resolve()
  for (const jobId of before) await becomes(jobId, { state: 'done' })
  await agent.stop()

  const restored = start(backup)
  const later = await print()
  for (const jobId of later) await becomes(jobId, { state: 'done' })
  await waitFor(() => expect(restored.readLog().match(/"job finished"/g)?.length).toBeGreaterThanOrEqual(3))
  const released = [dataDir, backup].flatMap((dir) => readSpoolerCalls(dir, 'release')).map(({ token }) => token)
  expect(released.toSorted()).toEqual([...before, ...later].toSorted())
})
