/** The agent with a real CUPS, from the service's word to the device and back. */
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { buildPdf } from '../../../test/cups/build-pdf.ts'
import { whyNoCups } from '../../../test/cups/find-cups.ts'
import { QUEUES, startCups, type TestCups } from '../../../test/cups/start-cups.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { type ScriptedService, startScriptedService } from '../scripted-service.ts'
import { startAgent } from '../start-agent.ts'
import { look, openSpooler, PRINT_LIMIT_MS } from './print-on-cups.ts'

// Half a dozen programs start for CUPS, and some for each document.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const { PRINTING, DONE, ERROR } = ReportedState

describe.skipIf(await whyNoCups())('an agent on CUPS', () => {
  let cups: TestCups
  let service: ScriptedService

  beforeAll(async () => {
    cups = await startCups()
  })
  afterAll(() => cups?.stop())
  beforeEach(async () => {
    service = await startScriptedService()
    return () => service.stop()
  })

  async function connect(dataDir?: string) {
    const hellos = service.heard('hello').length
    const agent = startAgent(service, { spooler: openSpooler(cups).spooler, dataDir })
    await waitFor(() => expect(service.heard('hello').length).toBeGreaterThan(hellos))
    return agent
  }

  const statesOf = (jobId: string) => service.reportsOf(jobId).map(({ state }) => state)
  const ends = (jobId: string, end: ReportedState) =>
    waitFor(() => expect(statesOf(jobId).at(-1)).toBe(end), PRINT_LIMIT_MS)

  test('reports its queues as printers', async () => {
    await connect()
    const names = service.heard('hello')[0]?.printers?.printers.map(({ osName }) => osName)
    expect(names?.toSorted()).toEqual(Object.values(QUEUES).toSorted())
  })

  test('prints a PDF with its options, tells what was dropped of them, and that it is done', async () => {
    await connect()
    const options = { duplex: 'short-edge', pages: '1-2', dpi: '600x600', rotate: 180 }
    const facts = { printerOsName: QUEUES.laser, options, qty: 2, title: 'Invoice 7' }
    const { jobId } = service.print(facts, buildPdf({ pages: 3 }))
    await ends(jobId, DONE)
    expect(statesOf(jobId)).toEqual([PRINTING, DONE])
    const warnings = [expect.stringMatching(/^The computer ignored the option dpi `600x600`: .+\.$/)]
    expect(service.reportsOf(jobId)).toMatchObject([{ warnings }, { warnings }])
    const printed = cups.laser.printed().at(-1) ?? expect.fail('nothing was printed')
    expect(printed.attributes).toMatchObject({ IPP_COPIES: '2', IPP_SIDES: 'two-sided-short-edge' })
    expect(printed.attributes.IPP_JOB_NAME).toContain(jobId)
    expect(look(printed).pages).toBe(2)
  })

  test('passes raw bytes on as they are', async () => {
    await connect()
    const label = Buffer.from('^XA^FDcafé ™^FS^XZ\r\n\0\u00ff', 'latin1')
    const { jobId } = service.print({ printerOsName: QUEUES.raw, contentType: 'raw_base64' }, label)
    await ends(jobId, DONE)
    await waitFor(() => expect(cups.socketPrinter.received().at(-1)).toEqual(label))
  })

  test('tells what a job waits for, and that it waits no more', async () => {
    await connect()
    cups.laser.emptyMedia(true)
    const { jobId } = service.print({ printerOsName: QUEUES.laser }, buildPdf())
    const said = () => service.reportsOf(jobId).map(({ state, reasons }) => [state, ...reasons])
    await waitFor(() => expect(said().at(-1)).toEqual([PRINTING, 'media-empty']), PRINT_LIMIT_MS)
    cups.laser.emptyMedia(false)
    await ends(jobId, DONE)
    expect(said().at(-1)).toEqual([DONE])
  })

  test('ends a job in error when the device fails, and says why', async () => {
    await connect()
    cups.laser.fail(true)
    const { jobId } = service.print({ printerOsName: QUEUES.laser }, buildPdf())
    await ends(jobId, ERROR)
    expect(service.reportsOf(jobId).at(-1)).toMatchObject({
      message: expect.stringMatching(/^The printer broke the job off/),
      reasons: ['job-canceled-at-device'],
    })
    cups.laser.fail(false)
  })

  test('ends a job in error whose document cannot be printed, before CUPS hears of it', async () => {
    await connect()
    const { jobId } = service.print({ printerOsName: QUEUES.laser }, Buffer.from('%PDF-1.7 and nothing else'))
    await ends(jobId, ERROR)
    expect(service.reportsOf(jobId)).toMatchObject([{ reasons: ['document-format-error'] }])
  })

  test('asks a CUPS that is away until it is back, and prints then', async () => {
    await connect()
    await cups.shutDown()
    const { jobId } = service.print({ printerOsName: QUEUES.laser }, buildPdf())
    await waitFor(() => expect(service.heard('received')).toMatchObject([{ jobId }]))
    await cups.start()
    await ends(jobId, DONE)
  })

  test('after a restart takes up what is printing, and releases nothing again', async () => {
    const first = await connect()
    cups.laser.emptyMedia(true)
    const before = cups.laser.printed().length
    const { jobId } = service.print({ printerOsName: QUEUES.laser }, buildPdf())
    await ends(jobId, PRINTING)
    await first.stop()
    await connect(first.dataDir)
    cups.laser.emptyMedia(false)
    await ends(jobId, DONE)
    expect(cups.laser.printed()).toHaveLength(before + 1)
  })

  test('takes a job that the service has given up out of the queue', async () => {
    await connect()
    await cups.run('cupsdisable', QUEUES.laser)
    const { jobId } = service.print({ printerOsName: QUEUES.laser }, buildPdf())
    await waitFor(async () => expect(await cups.run('lpstat', '-o', QUEUES.laser)).not.toBe(''))
    await waitFor(() => {
      service.send({ case: 'remove', value: { jobId } })
      expect(service.heard('removed')).toContainEqual(expect.objectContaining({ jobId }))
    })
    expect(await cups.run('lpstat', '-o', QUEUES.laser)).toBe('')
    await cups.run('cupsenable', QUEUES.laser)
  })
})
