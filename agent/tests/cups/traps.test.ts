/** Where what CUPS shows is not what happened, or a job would never end. Each on a real CUPS, and what comes after it prints. */
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { buildPdf } from '../../../test/cups/build-pdf.ts'
import { whyNoCups } from '../../../test/cups/find-cups.ts'
import { QUEUES, startTestCups, type TestCups } from '../../../test/cups/start-cups.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import type { Spooler, SpoolerState, Submission } from '../../spoolers/spooler.ts'
import { openSpooler, PRINT_LIMIT_MS, print, statesUntilEnd, submission } from './print-on-cups.ts'

// Half a dozen programs start for CUPS, and some for each document.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const DAMAGED = Buffer.from(`%PDF-1.4\n${'noise '.repeat(500)}\ntrailer\n<< /Root 1 0 R >>\n`)

describe.skipIf(await whyNoCups())('on CUPS', () => {
  let cups: TestCups
  let spooler: Spooler
  beforeEach(async () => {
    cups = await startTestCups()
    spooler = openSpooler(cups).spooler
  })

  /** Submits and releases; what is seen of it grows. */
  async function start(job: Submission) {
    const { spoolerJobId } = await spooler.submitHeld(job)
    await spooler.release(spoolerJobId)
    const seen: SpoolerState[] = []
    const read = async () => {
      for await (const state of spooler.watch(spoolerJobId, AbortSignal.timeout(2 * PRINT_LIMIT_MS))) seen.push(state)
    }
    return { spoolerJobId, seen, ended: read() }
  }

  const nextPrints = async () => expect((await print(spooler, submission())).end).toMatchObject({ is: 'completed' })

  test('a device that fails, which CUPS shows as a canceled job and now and then as a completed one, is an error', async () => {
    cups.laser.fail(true)
    cups.laser.setDelay(1)
    for (let n = 0; n < 6; n++) {
      const { end } = await print(spooler, submission())
      expect(end).toMatchObject({
        is: 'aborted',
        reasons: ['job-canceled-at-device'],
        message: expect.stringMatching(/^The printer broke the job off/),
      })
    }
    expect(cups.laser.printed()).toEqual([])
    cups.laser.fail(false)
    await nextPrints()
  })

  test('raw data that the device refuses, which CUPS shows as a completed job, is an error', async () => {
    const job = submission({ contentType: 'raw_base64', document: Buffer.from('^XA^XZ') })
    const { end } = await print(spooler, job)
    expect(end).toMatchObject({ is: 'aborted', reasons: ['document-format-not-supported'] })
    expect(cups.laser.printed()).toEqual([])
  })

  test.each([QUEUES.laser, QUEUES.label])(
    'a damaged PDF, which CUPS never ends, is an error and leaves %s free',
    async (printerOsName) => {
      const { spoolerJobId, end } = await print(spooler, submission({ document: DAMAGED, printerOsName }))
      expect(end).toMatchObject({ is: 'aborted', reasons: ['document-format-error'] })
      expect(end?.message).not.toContain('/')
      expect(await spooler.state(spoolerJobId)).toMatchObject({ is: 'aborted' })
      expect((await print(spooler, submission({ printerOsName }))).end).toMatchObject({ is: 'completed' })
    },
  )

  test('out of paper the job goes on, says why, and is completed once there is some', async () => {
    cups.laser.emptyMedia(true)
    const { seen, ended } = await start(submission())
    await waitFor(
      () => expect(seen.at(-1)).toMatchObject({ is: 'processing', reasons: ['job-printing', 'media-empty'] }),
      PRINT_LIMIT_MS,
    )
    cups.laser.emptyMedia(false)
    await ended
    expect(seen.at(-1)).toMatchObject({ is: 'completed' })
    expect(cups.laser.printed()).toHaveLength(1)
  })

  test('for a printer that is stopped the job waits, and is printed when it runs again', async () => {
    await cups.run('cupsdisable', QUEUES.laser)
    const { spoolerJobId, seen, ended } = await start(submission())
    await waitFor(() => expect(seen).toMatchObject([{ is: 'pending' }]))
    expect(await spooler.state(spoolerJobId)).toMatchObject({ is: 'pending' })
    await cups.run('cupsenable', QUEUES.laser)
    await ended
    expect(seen.at(-1)).toMatchObject({ is: 'completed' })
  })

  test('a printer at a socket that is away leaves the job processing with the reason, until it is removed', async () => {
    await cups.socketPrinter.stop()
    const job = submission({ printerOsName: QUEUES.raw, contentType: 'raw_base64', document: Buffer.from('^XA^XZ') })
    const { spoolerJobId, seen, ended } = await start(job)
    await waitFor(() => expect(seen.at(-1)?.message).toMatch(/unavailable/), PRINT_LIMIT_MS)
    expect(seen.at(-1)).toMatchObject({ is: 'processing' })
    await spooler.remove(spoolerJobId)
    await ended
    expect(seen.at(-1)).toMatchObject({ is: 'aborted', reasons: ['job-canceled-by-user'] })
    await cups.socketPrinter.start()
    await print(spooler, { ...job, token: 'next' })
    await waitFor(() => expect(Buffer.concat(cups.socketPrinter.received()).toString()).toBe('^XA^XZ'))
  })

  test('while CUPS is away each question fails, and a held job is there when it is back', async () => {
    const { spoolerJobId } = await spooler.submitHeld(submission())
    await cups.shutDown()
    const questions = [
      () => spooler.state(spoolerJobId),
      () => spooler.find('x'),
      () => spooler.submitHeld(submission()),
    ]
    for (const ask of questions) await expect(ask()).rejects.toThrow(/cannot be reached|broken/)
    await expect(statesUntilEnd(spooler, spoolerJobId)).rejects.toThrow()
    await cups.start()
    await spooler.release(spoolerJobId)
    expect((await statesUntilEnd(spooler, spoolerJobId)).at(-1)).toMatchObject({ is: 'completed' })
    expect(cups.laser.printed()).toHaveLength(1)
  })
})

describe.skipIf(await whyNoCups())('CUPS that crashes', () => {
  test('forgets jobs and gives their ids away again: neither counts as the job that it was', async () => {
    const cups = await startTestCups({ saveAfterSeconds: 600 })
    const { spooler } = openSpooler(cups)
    const job = submission()
    const { spoolerJobId } = await spooler.submitHeld(job)
    await cups.kill()
    await cups.start()
    const forgotten = async () => {
      expect(await spooler.state(spoolerJobId)).toBeUndefined()
      expect(await statesUntilEnd(spooler, spoolerJobId)).toEqual([])
      await expect(spooler.release(spoolerJobId)).rejects.toThrow('does not know the job')
      await spooler.remove(spoolerJobId)
    }
    await forgotten()
    expect(await spooler.find(job.token)).toBeUndefined()
    const other = await spooler.submitHeld(submission({ document: buildPdf({ pages: 2 }) }))
    expect(other.spoolerJobId.split(' ')[0]).toBe(spoolerJobId.split(' ')[0])
    await forgotten()
    expect(await spooler.state(other.spoolerJobId)).toMatchObject({ is: 'held' })
  })

  test('may come back with a job on hold that was released: it is taken out and not released again', async () => {
    const cups = await startTestCups({ saveAfterSeconds: 600 })
    const { spooler } = openSpooler(cups)
    const job = submission()
    const { spoolerJobId } = await spooler.submitHeld(job)
    // So it is written down as held.
    await cups.shutDown()
    await cups.start()
    await cups.run('cupsdisable', QUEUES.laser)
    await spooler.release(spoolerJobId)
    await cups.kill()
    await cups.start()
    expect(await spooler.state(spoolerJobId)).toMatchObject({ is: 'held' })
    expect(await statesUntilEnd(spooler, spoolerJobId)).toMatchObject([{ is: 'aborted', reasons: ['unconfirmed'] }])
    expect(await spooler.state(spoolerJobId)).toMatchObject({ is: 'aborted' })
    expect((await print(spooler, submission())).end).toMatchObject({ is: 'completed' })
    expect(cups.laser.printed()).toHaveLength(1)
  })
})
