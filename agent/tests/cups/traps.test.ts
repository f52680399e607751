/** Failures that CUPS reports incorrectly or never ends, and crashes of CUPS and of the agent. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { buildPdf, writePdf } from '../../../test/cups/build-pdf.ts'
import { type CupsServer, startCupsServer } from '../../../test/cups/start-cups.ts'
import { canMount, mountSmallDisk } from '../../../test/harness/small-disk.ts'
import { killAtEachCall, type TestPrinter } from '../kill-at-each-call.ts'
import { startRawPrinter } from '../raw-printer.ts'
import { addRawQueue, collectStates, createSubmission, hasCups, openSpooler, print, useDevice } from './on-cups.ts'

const LABEL = { contentType: 'raw_base64', document: Buffer.from('^XA^XZ') }

describe.skipIf(!hasCups)('on CUPS', () => {
  const laser = useDevice('laser')
  const label = useDevice('label')

  test('a job that its device fails or refuses is aborted although CUPS shows it as canceled or completed, and the next job prints', async () => {
    const spooler = openSpooler()
    laser.device.fail(true)
    laser.device.setDelay(1)
    for (let n = 0; n < 2; n++)
      expect((await print(spooler, createSubmission(laser.queue))).end).toMatchObject({
        is: 'aborted',
        reasons: ['job-canceled-at-device'],
        message: expect.stringMatching(/^The printer aborted the job/),
      })
    laser.device.fail(false)
    laser.device.setDelay(0)
    const { end } = await print(spooler, createSubmission(laser.queue, LABEL))
    expect(end).toMatchObject({ is: 'aborted', reasons: ['document-format-not-supported'] })
    expect((await print(spooler, createSubmission(laser.queue))).end).toMatchObject({ is: 'completed' })
  })

  test('a PDF that CUPS cannot read is aborted although CUPS never ends its job, without paper, and the next job prints', async () => {
    const spooler = openSpooler()
    const [kids, page] = ['[3 0 R 4 0 R]', '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 288 432] >>']
    const catalog = '<< /Type /Catalog /Pages 2 0 R >>'
    const document = writePdf([catalog, `<< /Type /Pages /Kids ${kids} /Count 1 >>`, page, page])
    const { spoolerJobId, end } = await print(spooler, createSubmission(label.queue, { document }))
    expect(end).toMatchObject({ is: 'aborted', reasons: ['document-format-error'] })
    expect(end?.message).not.toMatch(/\/\w+\/\w/)
    // A raster without pages.
    expect(label.device.printed().filter(({ bytes }) => bytes.length > 4)).toEqual([])
    expect(await spooler.state(spoolerJobId)).toMatchObject({ is: 'aborted' })
    expect((await print(spooler, createSubmission(label.queue))).end).toMatchObject({ is: 'completed' })
  })

  async function createPrinter(): Promise<TestPrinter> {
    const printer = await startRawPrinter()
    const printerOsName = await addRawQueue(printer.uri)
    return {
      printerOsName,
      keepsOutcome: true,
      sheets: () => printer.connectionsWithData().length,
      open: (_, kill) => openSpooler(undefined, (client) => (kill ? kill.wrap(client) : client)),
    }
  }

  test('an agent that is killed at any call prints a job at most once', async () => {
    expect(await killAtEachCall(createPrinter, { content: '^XA^XZ', contentType: 'raw_base64' })).toBeGreaterThan(20)
  })
})

describe.skipIf(!hasCups)('a CUPS that crashes', () => {
  const QUEUE = 'Raw'
  let cups: CupsServer

  beforeAll(async () => {
    // CUPS loses all changes that it did not save during an orderly shutdown.
    cups = await startCupsServer({ saveAfterSeconds: 600 })
    await cups.run('lpadmin', '-p', QUEUE, '-E', '-v', 'file:///dev/null', '-m', 'raw')
    await cups.shutDown()
    await cups.start()
  })
  afterAll(() => cups.stop())

  test('fails all calls while it does not run, and keeps held jobs', async () => {
    const spooler = openSpooler(cups.socketPath)
    const { spoolerJobId } = await spooler.submitHeld(createSubmission(QUEUE, LABEL))
    await cups.shutDown()
    const calls = [
      () => spooler.state(spoolerJobId),
      () => spooler.find('x'),
      () => spooler.submitHeld(createSubmission(QUEUE, LABEL)),
      () => spooler.printers(),
    ]
    for (const call of calls)
      await expect(call()).rejects.toThrow(/does not run on|cannot be reached|closed the connection/)
    await expect(collectStates(spooler, spoolerJobId)).rejects.toThrow()
    await cups.start()
    await spooler.release(spoolerJobId)
    expect((await collectStates(spooler, spoolerJobId)).at(-1)).toMatchObject({ is: 'completed' })
  })

  test('loses jobs and reuses their ids, and another job with the id is not mistaken for the lost job', async () => {
    const spooler = openSpooler(cups.socketPath)
    const job = createSubmission(QUEUE, LABEL)
    const { spoolerJobId } = await spooler.submitHeld(job)
    await cups.kill()
    await cups.start()
    const expectUnknown = async () => {
      expect(await spooler.state(spoolerJobId)).toBeUndefined()
      expect(await collectStates(spooler, spoolerJobId)).toEqual([])
      await expect(spooler.release(spoolerJobId)).rejects.toThrow('does not know the job')
      await spooler.remove(spoolerJobId)
    }
    await expectUnknown()
    expect(await spooler.find(job.token)).toBeUndefined()
    const other = await spooler.submitHeld(createSubmission(QUEUE, { ...LABEL, document: buildPdf() }))
    expect(other.spoolerJobId.split(' ')[0]).toBe(spoolerJobId.split(' ')[0])
    await expectUnknown()
    expect(await spooler.state(other.spoolerJobId)).toMatchObject({ is: 'held' })
  })
})

test.skipIf(!hasCups || !canMount)(
  'a CUPS without space on its disk refuses a job only until it has space',
  async () => {
    const cups = await startCupsServer()
    onTestFinished(() => cups.stop())
    await cups.run('lpadmin', '-p', 'Raw', '-E', '-v', 'file:///dev/null', '-m', 'raw')
    const disk = mountSmallDisk({ dir: join(cups.directory, 'spool') })
    const spooler = openSpooler(cups.socketPath)
    const submit = () => spooler.submitHeld(createSubmission('Raw', LABEL))
    disk.fill()
    await expect(submit()).rejects.toThrow('CUPS does not take the job at the moment: it has no space for the document')
    disk.free()
    await submit()
  },
)
