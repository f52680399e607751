/** Failures that a real CUPS shows as something else or never ends, and crashes of CUPS and of the agent. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildPdf } from '../../../test/cups/build-pdf.ts'
import { type CupsServer, startCupsServer } from '../../../test/cups/start-cups.ts'
import { dieAtEachCall, type Printing } from '../mortal.ts'
import { startRawPrinter } from '../raw-printer.ts'
import { addRawQueue, hasCups, openSpooler, print, statesUntilEnd, submission, useDevice } from './on-cups.ts'

const LABEL = { contentType: 'raw_base64', document: Buffer.from('^XA^XZ') }

describe.skipIf(!hasCups)('on CUPS', () => {
  const laser = useDevice('laser')
  const label = useDevice('label')

  test('a device that fails or refuses raw data, which CUPS shows as canceled or completed, is an error, and the next job prints', async () => {
    const spooler = openSpooler()
    laser.device.fail(true)
    laser.device.setDelay(1)
    for (let n = 0; n < 2; n++)
      expect((await print(spooler, submission(laser.queue))).end).toMatchObject({
        is: 'aborted',
        reasons: ['job-canceled-at-device'],
        message: expect.stringMatching(/^The printer broke the job off/),
      })
    laser.device.fail(false)
    laser.device.setDelay(0)
    expect((await print(spooler, submission(laser.queue))).end).toMatchObject({ is: 'completed' })
    // Last, because the queue does not end a job of a failing device after it.
    const { end } = await print(spooler, submission(laser.queue, LABEL))
    expect(end).toMatchObject({ is: 'aborted', reasons: ['document-format-not-supported'] })
  })

  test('a damaged PDF, which CUPS never ends, is an error, and the next job prints', async () => {
    const spooler = openSpooler()
    const document = Buffer.from(`%PDF-1.4\n${'noise '.repeat(500)}\ntrailer\n<< /Root 1 0 R >>\n`)
    const { spoolerJobId, end } = await print(spooler, submission(label.queue, { document }))
    expect(end).toMatchObject({ is: 'aborted', reasons: ['document-format-error'] })
    expect(end?.message).not.toContain('/')
    expect(await spooler.state(spoolerJobId)).toMatchObject({ is: 'aborted' })
    expect((await print(spooler, submission(label.queue))).end).toMatchObject({ is: 'completed' })
  })

  async function mortalPrinting(): Promise<Printing> {
    const printer = await startRawPrinter()
    const printerOsName = await addRawQueue(printer.uri)
    return {
      printerOsName,
      remembers: true,
      sheets: () => printer.begun().length,
      open: (_, death) => openSpooler(undefined, (client) => (death ? death.wrap(client) : client)),
    }
  }

  test('an agent that dies at any call prints a job at most once', async () => {
    expect(await dieAtEachCall(mortalPrinting, { content: '^XA^XZ', contentType: 'raw_base64' })).toBeGreaterThan(20)
  })
})

describe.skipIf(!hasCups)('CUPS that crashes', () => {
  const QUEUE = 'Raw'
  let cups: CupsServer

  beforeAll(async () => {
    // All that is not written by an orderly end is lost.
    cups = await startCupsServer({ saveAfterSeconds: 600 })
    await cups.run('lpadmin', '-p', QUEUE, '-E', '-v', 'file:///dev/null', '-m', 'raw')
    await cups.shutDown()
    await cups.start()
  })
  afterAll(() => cups.stop())

  test('fails all calls while it is away, and keeps held jobs', async () => {
    const spooler = openSpooler(cups.socketPath)
    const { spoolerJobId } = await spooler.submitHeld(submission(QUEUE, LABEL))
    await cups.shutDown()
    const calls = [
      () => spooler.state(spoolerJobId),
      () => spooler.find('x'),
      () => spooler.submitHeld(submission(QUEUE, LABEL)),
      () => spooler.printers(),
    ]
    for (const call of calls) await expect(call()).rejects.toThrow(/cannot be reached|broken/)
    await expect(statesUntilEnd(spooler, spoolerJobId)).rejects.toThrow()
    await cups.start()
    await spooler.release(spoolerJobId)
    expect((await statesUntilEnd(spooler, spoolerJobId)).at(-1)).toMatchObject({ is: 'completed' })
  })

  test('forgets jobs and reuses their ids: neither is taken for the lost job', async () => {
    const spooler = openSpooler(cups.socketPath)
    const job = submission(QUEUE, LABEL)
    const { spoolerJobId } = await spooler.submitHeld(job)
    await cups.kill()
    await cups.start()
    const isForgotten = async () => {
      expect(await spooler.state(spoolerJobId)).toBeUndefined()
      expect(await statesUntilEnd(spooler, spoolerJobId)).toEqual([])
      await expect(spooler.release(spoolerJobId)).rejects.toThrow('does not know the job')
      await spooler.remove(spoolerJobId)
    }
    await isForgotten()
    expect(await spooler.find(job.token)).toBeUndefined()
    const other = await spooler.submitHeld(submission(QUEUE, { ...LABEL, document: buildPdf() }))
    expect(other.spoolerJobId.split(' ')[0]).toBe(spoolerJobId.split(' ')[0])
    await isForgotten()
    expect(await spooler.state(other.spoolerJobId)).toMatchObject({ is: 'held' })
  })
})
