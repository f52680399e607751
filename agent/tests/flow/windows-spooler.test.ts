/** The Windows driver with the queues of a Windows computer in memory. */
import type { JsonObject } from '@bufbuild/protobuf'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { makePages } from '../../../test/cups/build-pdf.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { inspectPdfs } from '../../spoolers/inspect-pdfs.ts'
import type { Submission } from '../../spoolers/spooler.ts'
import { DC } from '../../spoolers/windows/device-capabilities.ts'
import { JOB_STATUS } from '../../spoolers/windows/job-status.ts'
import { createWindowsSpooler } from '../../spoolers/windows/windows-spooler.ts'
import { type Winspool, WinspoolError } from '../../spoolers/windows/winspool.ts'
import { makeSubmission } from '../submission.ts'
import { LASER } from '../windows/driver-answers.ts'
import { createFakeWinspool } from '../windows/fake-winspool.ts'

const QUICK = { quickMs: 4, quickForMs: 1_000, slowMs: 8, deleteTimeoutMs: 40 }

const submission = (document: string | Buffer, changes?: Partial<Submission>) =>
  makeSubmission(document, 'Office', changes)

const PAGE = { width: 595, height: 842, content: '1 0 0 rg 0 0 100 50 re f' }
const pdf = (pages: number, changed: Partial<Submission> = {}) =>
  submission(makePages(Array(pages).fill(PAGE)), { contentType: 'pdf_base64', ...changed })

/** A Windows computer in memory with a spooler. */
function openFakeWindows(options: Parameters<typeof createFakeWinspool>[0] = {}, timings = QUICK) {
  const fake = createFakeWinspool(options)
  const openAgain = (changes: Partial<Winspool> = {}, now = Date.now) =>
    inspectPdfs(createWindowsSpooler(async () => ({ ...fake.winspool, ...changes }), timings, now))
  const spooler = openAgain()

  /** Watches the job in the background. */
  function follow(id: string, signal = AbortSignal.timeout(25_000)) {
    const states: string[] = []
    const end = (async () => {
      for await (const { is } of spooler.watch(id, signal)) states.push(is)
    })()
    return { states, end, waitForStates: (...expected: string[]) => waitFor(() => expect(states).toEqual(expected)) }
  }

  const submit = async (job = submission('^XA^XZ')) => (await spooler.submitHeld(job)).spoolerJobId

  return { fake, spooler, openAgain, follow, submit }
}

test('a raw document is held until its release, printed unchanged, and removed from the queue after its end', async () => {
  const { fake, spooler, follow } = openFakeWindows()
  const { spoolerJobId: id, warnings } = await spooler.submitHeld(submission('^XA^FDnot seven bytes^FS^XZ'))
  expect(warnings).toEqual([])
  fake.print()
  expect(fake.printed).toEqual([])
  expect((await spooler.state(id))?.is).toBe('held')

  await spooler.release(id)
  await expect(spooler.release(id)).rejects.toThrow('already been released')
  const watching = follow(id)
  await watching.waitForStates('pending')
  fake.startPrinting()
  await watching.waitForStates('pending', 'processing')
  fake.print()
  await watching.end
  expect(watching.states).toEqual(['pending', 'processing', 'completed'])
  expect(fake.printed).toMatchObject([{ content: '^XA^FDnot seven bytes^FS^XZ', isComplete: true }])
  expect(fake.jobs).toEqual([])
})

test('a job has the data type of its driver, and a name of title and token without control characters', async () => {
  const job = submission('^XA^XZ', { title: `In\0vo\nice ${'x'.repeat(300)}` })
  for (const [driverVersion, datatype] of [
    [3, 'RAW'],
    [4, 'XPS_PASS'],
  ] as const) {
    const { fake, submit } = openFakeWindows({ driverVersion })
    await submit(job)
    expect(fake.jobs).toMatchObject([{ datatype, document: `Invoice ${'x'.repeat(92)} [${job.token}]` }])
  }
})

const setOneCopy = (devmode: Buffer) => Buffer.from(devmode.fill(1, 86, 87).fill(0, 87, 88))

const DUPLEX = { duplex: 'long-edge', copies: 999 }

const WARNINGS: Record<string, string[]> = {
  '4-9': ['The computer ignored the option pages `5-9`: the document has 4 pages.'],
}

test.each<[string, pages: number, qty: number, JsonObject, string, copies?: number, merge?: typeof setOneCopy]>([
  ['the selected pages for each qty', 4, 2, { pages: '4,1-2' }, '[#]'.repeat(6)],
  ['the selected pages that the document has', 4, 1, { pages: '4-9' }, '[#]'],
  ['the part of each page that is selected', 2, 1, { crop: '0,0,2100,2000' }, '[][]'],
  ['an empty page after a duplex set with an odd number of pages', 1, 2, DUPLEX, '[#][][#]'],
  ['one page that the driver copies', 1, 3, { copies: 2 }, '[#]', 6],
  ['all copies for a driver that makes one copy', 1, 3, { copies: 2 }, '[#]'.repeat(6), 1, setOneCopy],
])('a job contains %s', async (_, pages, qty, options, expected, copies, merge) => {
  proves('platform.pages.windows', 'platform.crop.windows', 'option.pages.partly', 'platform.copies.windows')
  const { fake, spooler } = openFakeWindows({ merge })
  expect((await spooler.submitHeld(pdf(pages, { qty, options }))).warnings).toEqual(
    WARNINGS[String(options.pages)] ?? [],
  )
  expect(fake.jobs[0]?.content.join('').replaceAll(/#+/g, '#')).toBe(expected)
  if (copies) expect(fake.devmodes.at(-1)?.readInt16LE(86)).toBe(copies)
})

test('an odd set on a printer that prints on both sides by default ends with an empty page', async () => {
  proves('options.unset.duplex')
  const setDuplex = (devmode: Buffer) => {
    devmode.writeUInt32LE(0x1000, 72)
    devmode.writeInt16LE(2, 94)
    return devmode
  }
  for (const [options, expected] of [
    [{}, '[#][][#]'],
    [{ duplex: 'one-sided' }, '[#][#]'],
  ] as const) {
    const { fake, spooler } = openFakeWindows({ configure: setDuplex, merge: setOneCopy })
    await spooler.submitHeld(pdf(1, { qty: 2, options }))
    expect(fake.jobs[0]?.content.join('').replaceAll(/#+/g, '#')).toBe(expected)
  }
})

test('the driver receives paper, bin, colour and duplex', async () => {
  proves('platform.color.windows', 'platform.duplex.windows', 'platform.paper.windows', 'platform.bin.windows')
  const { fake, submit } = openFakeWindows({ answers: { ...LASER, [DC.COLORDEVICE]: 1 } })
  const options = { paper: 'A5', bin: 'Tray 2', duplex: 'short-edge' }
  for (const requested of [{ ...options, color: true }, { ...options, color: false }, {}])
    await submit(pdf(1, { options: requested }))
  const settings = fake.devmodes.map((devmode) => [78, 88, 92, 94].map((offset) => devmode.readInt16LE(offset)))
  const unchanged = Buffer.alloc(2, 0xaa).readInt16LE()
  expect(settings).toEqual([[11, 258, 2, 3], [11, 258, 1, 3], Array(4).fill(unchanged)])
  expect(fake.documentDevmodes).toEqual(fake.devmodes)
})

test('an option that the driver or Windows does not support causes a warning', async () => {
  const { spooler } = openFakeWindows({ merge: (devmode) => Buffer.from(devmode.fill(0, 88, 90)) })
  const { warnings } = await spooler.submitHeld(pdf(1, { options: { bin: 'Tray 2', nup: 2 } }))
  expect(warnings).toEqual([
    'The computer ignored the option nup 2: it is not available on Windows.',
    'The computer ignored the option bin `Tray 2`: the driver of the printer rejected it.',
  ])
})

test('only the printable area is painted, and white parts are omitted', async () => {
  const { fake, submit } = openFakeWindows()
  await submit(pdf(1))
  // The red part begins 50 points above the lower edge of the page: at 3,300 of 3,508 pixels, minus the margin.
  const isPrintable = fake.painted.map(({ x, y, width, height }) => {
    const [right, end] = [x + width, y + height]
    return x >= 0 && right <= 2380 && end > 3_240 && end <= 3408
  })
  expect(new Set(isPrintable)).toEqual(new Set([true]))
})

test.each<[string, () => Submission, object, string]>([
  ['an unknown printer', () => submission('x', { printerOsName: 'Gone' }), {}, 'printer-not-found'],
  ['a printer that cannot hold a job', () => submission('x'), { attributes: 0x2 }, 'spooling-disabled'],
  ['a damaged PDF', () => submission('%PDF-1.7', { contentType: 'pdf_uri' }), {}, 'document-format-error'],
  ['missing pages', () => pdf(2, { options: { pages: '3-' } }), {}, 'page-ranges-not-in-document'],
])('a job is refused for %s, and the queue stays empty', async (_, job, printer, reason) => {
  const { fake, spooler } = openFakeWindows({ printers: [printer] })
  await expect(spooler.submitHeld(job())).rejects.toMatchObject({ name: 'SpoolerRefusal', reasons: [reason] })
  expect(fake.jobs).toEqual([])
})

test('a job that Windows does not pause receives no data, and a job whose data Windows rejects is deleted', async () => {
  const { fake, openAgain } = openFakeWindows()
  const startRaw: Winspool['startRaw'] = async (...call) => ({
    ...(await fake.winspool.startRaw(...call)),
    write: async () => 0,
  })
  const label = submission('^XA^XZ')
  await expect(openAgain({ setJob: async () => undefined }).submitHeld(label)).rejects.toThrow('did not pause the job.')
  await expect(openAgain({ startRaw }).submitHeld(label)).rejects.toThrow('Its disk may be full')
  expect([...fake.jobs, ...fake.printed]).toEqual([])
})

test('a job is unknown if another job has its number or its printer was deleted', async () => {
  const { fake, spooler, submit } = openFakeWindows()
  const id = await submit()
  for (const job of fake.jobs) job.document = 'another letter'
  expect(await spooler.state(id)).toBeUndefined()
  await expect(spooler.release(id)).rejects.toThrow('does not know')
  await spooler.remove(id)
  expect(fake.jobs).toHaveLength(1)
  const second = await submit()
  fake.printers.length = 0
  expect(await spooler.state(second)).toBeUndefined()
})

test('a print server that does not answer is an error, and jobs of other queues are found', async () => {
  const { fake, openAgain, submit } = openFakeWindows({ printers: [{ name: '\\\\off\\Gone' }, { name: 'Office' }] })
  const job = submission('^XA^XZ')
  const id = await submit(job)
  for (const one of fake.jobs) one.status = JOB_STATUS.printing
  const unreachable = () => Promise.reject(new WinspoolError('EnumJobsW', 1722))
  await expect(openAgain({ enumJobs: unreachable }).state(id)).rejects.toThrow('1722')
  const enumJobs = (name: string) => (name.startsWith('\\\\off') ? unreachable() : fake.winspool.enumJobs(name))
  expect(await openAgain({ enumJobs }).find(job.token)).toMatchObject({ state: { is: 'processing' } })
})

test.each<[string, retains: boolean, wasPrinting: boolean, end: string[]]>([
  [
    'completed if it was printing and the server does not retain printed jobs',
    false,
    true,
    ['processing', 'completed'],
  ],
  ['unknown if the server retains printed jobs', true, true, ['processing']],
  ['unknown if it was not printing', false, false, ['pending']],
])('the end of a job that disappears is %s', async (_, retains, wasPrinting, end) => {
  const { fake, spooler, submit, follow } = openFakeWindows({ unsupported: retains ? [] : ['retain'] })
  const id = await submit()
  await spooler.release(id)
  if (wasPrinting) fake.startPrinting()
  const { states, end: ended, waitForStates } = follow(id)
  await waitForStates(wasPrinting ? 'processing' : 'pending')
  fake.jobs.length = 0
  await ended
  expect(states).toEqual(end)
})

test('a removed job is aborted and not printed', async () => {
  const { fake, spooler, submit, follow } = openFakeWindows()
  const id = await submit()
  await spooler.release(id)
  fake.startPrinting()
  const { states, end, waitForStates } = follow(id)
  await waitForStates('processing')
  await spooler.remove(id)
  await end
  fake.print()
  expect([states, fake.printed]).toEqual([['processing', 'aborted'], []])
})

test('a removal that Windows does not perform is an error; an ended job is unchanged', async () => {
  const { fake, openAgain, submit } = openFakeWindows()
  const setJob: Winspool['setJob'] = async (name, id, command) =>
    command === 'delete' ? undefined : fake.winspool.setJob(name, id, command)
  const spooler = openAgain({ setJob })
  const id = await submit()
  await expect(spooler.remove(id)).rejects.toThrow('did not delete the job')
  await spooler.release(id)
  fake.print()
  await spooler.remove(id)
  expect(await spooler.state(id)).toMatchObject({ is: 'completed' })
})

test('find deletes an unreleased job; it returns a job that a user released, which is not submitted again', async () => {
  const { fake, spooler, submit } = openFakeWindows({ printers: [{ name: 'Other' }, { name: 'Office' }] })
  const job = submission('^XA^XZ')
  await submit(job)
  expect(await spooler.find(job.token)).toBeUndefined()
  expect(fake.jobs).toEqual([])
  await submit(job)
  for (const one of fake.jobs) one.status &= ~JOB_STATUS.paused
  expect(await spooler.find(job.token)).toMatchObject({ state: { is: 'pending' } })
  await expect(spooler.submitHeld(job)).rejects.toThrow('already has this job')
  expect(fake.jobs).toHaveLength(1)
})

test('printed jobs of a killed agent are deleted after an hour; jobs of other programs are not', async () => {
  const { fake, spooler, openAgain, submit } = openFakeWindows()
  const job = submission('^XA^XZ')
  await spooler.release(await submit(job))
  fake.print()
  const otherJob = await fake.winspool.startRaw('Office', { name: 'Letter', datatype: 'RAW' })
  await otherJob.end()
  await fake.winspool.setJob('Office', otherJob.jobId, 'retain')
  fake.print()
  const getNamesAfter = async (ms: number) => {
    await openAgain({}, () => Date.now() + ms).submitHeld(submission('^XA^XZ'))
    return fake.jobs.map(({ document }) => document)
  }
  expect(await getNamesAfter(3_590_000)).toContain(`Label [${job.token}]`)
  const names = await getNamesAfter(3_601_000)
  expect(names).not.toContain(`Label [${job.token}]`)
  expect(names).toContain('Letter')
})

test('100 watched jobs share the calls of their queue', async () => {
  let calls = 0
  const { fake, openAgain } = openFakeWindows({}, { ...QUICK, quickMs: 400 })
  const enumJobs = (name: string) => {
    calls++
    return fake.winspool.enumJobs(name)
  }
  const { submitHeld, release, watch } = openAgain({ enumJobs })
  const ids: string[] = []
  for (let n = 0; n < 100; n++) ids.push((await submitHeld(submission('^XA'))).spoolerJobId)
  for (const id of ids) await release(id)
  fake.print()
  calls = 0
  const getLastState = async (id: string) => {
    let state = ''
    for await (const { is } of watch(id, AbortSignal.timeout(25_000))) state = is
    return state
  }
  expect(await Promise.all(ids.map(getLastState))).toEqual(Array(100).fill('completed'))
  expect(calls).toBeLessThanOrEqual(3)
})

test('a watch is aborted by its signal', async () => {
  const { submit, follow } = openFakeWindows()
  const abort = new AbortController()
  const { waitForStates, end } = follow(await submit(), abort.signal)
  await waitForStates('held')
  abort.abort()
  await expect(end).rejects.toThrow('aborted')
})
