/** That tests can rely on their CUPS: its printers print, its faults are faults, and nothing of it stays. */
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePdf } from '../../harness/pdf.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { whyNoCups } from '../find-cups.ts'
import { QUEUES, startCups, startTestCups, type TestCups } from '../start-cups.ts'

/** The `ipp` backend asks its device once a second. */
const PRINT_LIMIT_MS = 30_000
/** Some of them start a CUPS with its printers, or print several times. */
const TEST_LIMIT_MS = 120_000

describe.skipIf(await whyNoCups())('the CUPS of the tests', { timeout: TEST_LIMIT_MS }, () => {
  let cups: TestCups
  const directory = mkdtempSync(join(tmpdir(), 'platen-documents-'))
  const pdf = join(directory, 'invoice.pdf')
  const zpl = join(directory, 'label.zpl')
  writeFileSync(pdf, makePdf('Invoice'))
  writeFileSync(zpl, '^XA^FO50,50^FDParcel^FS^XZ\0\xff', 'latin1')
  beforeAll(async () => {
    cups = await startCups()
  }, TEST_LIMIT_MS)
  afterAll(() => cups?.stop())

  test('the laser gets a PDF with its options, the label printer a raster', async () => {
    await cups.run('lp', '-d', QUEUES.laser, '-n', '2', '-o', 'sides=two-sided-long-edge', pdf)
    await cups.run('lp', '-d', QUEUES.label, pdf)
    const [document] = await waitFor(() => atLeastOne(cups.laser.printed()), PRINT_LIMIT_MS)
    expect(document?.bytes.toString('latin1', 0, 5)).toBe('%PDF-')
    expect(document?.attributes).toMatchObject({ IPP_COPIES: '2', IPP_SIDES: 'two-sided-long-edge' })
    const [raster] = await waitFor(() => atLeastOne(cups.label.printed()), PRINT_LIMIT_MS)
    expect(raster?.bytes.toString('latin1', 0, 4)).toMatch(/UNIR|RaS2/)
  })

  test('the socket printer gets raw bytes as they are', async () => {
    await cups.run('lp', '-d', QUEUES.raw, '-o', 'raw', zpl)
    const received = () => cups.socketPrinter.received().filter(({ length }) => length > 0)
    const label = Buffer.from('^XA^FO50,50^FDParcel^FS^XZ\0\xff', 'latin1')
    await waitFor(() => expect(received()).toEqual([label]), PRINT_LIMIT_MS)
  })

  test('a device that fails prints nothing, one without media waits for it', async () => {
    const before = cups.laser.printed().length
    cups.laser.fail(true)
    await cups.run('lp', '-d', QUEUES.laser, pdf)
    await waitFor(async () => expect(await jobsOf(cups, QUEUES.laser)).toEqual([]), PRINT_LIMIT_MS)
    expect(cups.laser.printed()).toHaveLength(before)
    cups.laser.fail(false)
    cups.laser.emptyMedia(true)
    await cups.run('lp', '-d', QUEUES.laser, pdf)
    await waitFor(
      async () => expect(await cups.run('lpstat', '-l', '-p', QUEUES.laser)).toMatch(/media-empty/),
      PRINT_LIMIT_MS,
    )
    expect(cups.laser.printed()).toHaveLength(before)
    cups.laser.emptyMedia(false)
    await waitFor(() => expect(cups.laser.printed()).toHaveLength(before + 1), PRINT_LIMIT_MS)
  })

  test('after a kill -9 it comes back with its queues and the jobs that wait', async () => {
    await cups.run('cupsdisable', QUEUES.null)
    const [, id = ''] = /-(\d+) /.exec(await cups.run('lp', '-d', QUEUES.null, zpl)) ?? []
    // CUPS writes it down once it has answered.
    const written = join(dirname(dirname(cups.socketPath)), 'spool', `c${id.padStart(5, '0')}`)
    await waitFor(() => expect(existsSync(written)).toBe(true))
    await cups.kill()
    await expect(cups.run('lpstat', '-r')).resolves.toMatch(/not running/)
    await cups.start()
    expect(await cups.run('lpstat', '-p')).toMatch(/A4_Laser.*Label_4x6.*Null_Raw.*Zpl_Raw/s)
    expect(await jobsOf(cups, QUEUES.null)).toHaveLength(1)
  })

  test('nothing of it stays when it stops', async () => {
    const other = await startTestCups({ saveAfterSeconds: 30 })
    const root = dirname(dirname(other.socketPath))
    await other.kill()
    await other.start()
    expect(await other.run('lpstat', '-p')).toMatch(/A4_Laser/)
    await other.stop()
    expect(existsSync(root)).toBe(false)
    await expect(fetch(other.laser.uri.replace('ipp:', 'http:'))).rejects.toThrow()
    await expect(fetch(`http://${other.server}`)).rejects.toThrow()
  })
})

function atLeastOne<T>(found: T[]): T[] {
  if (found.length === 0) throw new Error('nothing was printed')
  return found
}

async function jobsOf(cups: TestCups, queue: string): Promise<string[]> {
  return (await cups.run('lpstat', '-o', queue)).split('\n').filter(Boolean)
}
