/** The Windows driver as the agent uses it, over the queues of a Windows computer in memory. */
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makePages } from '../../../test/cups/build-pdf.ts'
import { waitFor } from '../../../test/harness/wait-for.ts'
import type { SpoolerState, Submission } from '../../spoolers/spooler.ts'
import { DC } from '../../spoolers/windows/device-capabilities.ts'
import { JOB_STATUS } from '../../spoolers/windows/job-status.ts'
import { createWindowsSpooler } from '../../spoolers/windows/windows-spooler.ts'
import { type Winspool, WinspoolError } from '../../spoolers/windows/winspool.ts'
import { makeDataDir } from '../start-agent.ts'
import { LASER } from '../windows/driver-answers.ts'
import { createFakeWinspool, type FakeWinspool } from '../windows/fake-winspool.ts'

const QUICK = { quickMs: 4, quickForMs: 1_000, slowMs: 8, deletedWithinMs: 40 }

const spoolerOf = (fake: FakeWinspool, changed: Partial<Winspool> = {}, now = Date.now) =>
  createWindowsSpooler(async () => ({ ...fake.winspool, ...changed }), QUICK, now)

function submission(content: string | Buffer, changed: Partial<Submission> = {}): Submission {
  const file = join(makeDataDir(), 'document')
  writeFileSync(file, content)
  return {
    token: randomUUID(),
    title: 'Label',
    printerOsName: 'Office',
    file,
    contentType: 'raw_base64',
    qty: 1,
    options: {},
    ...changed,
  }
}

const PAGE = { width: 595, height: 842, content: '1 0 0 rg 0 0 100 50 re f' }
const pdf = (pages: number, changed: Partial<Submission> = {}) =>
  submission(makePages(Array.from({ length: pages }, () => PAGE)), { contentType: 'pdf_base64', ...changed })

/** Watches in the background. */
function follow(watched: AsyncIterable<SpoolerState>) {
  const states: string[] = []
  const end = (async () => {
    for await (const { is } of watched) states.push(is)
  })()
  return { states, end }
}

test('a raw document is held until it is released, then printed byte for byte, and taken out of the queue once its end was told', async () => {
  const fake = createFakeWinspool()
  const spooler = spoolerOf(fake)
  const { spoolerJobId: id, warnings } = await spooler.submitHeld(submission('^XA^FDnot seven bytes^FS^XZ'))
  expect(warnings).toEqual([])
  fake.print()
  expect(fake.printed).toEqual([])
  expect((await spooler.state(id))?.is).toBe('held')

  await spooler.release(id)
  const watching = follow(spooler.watch(id, AbortSignal.timeout(25_000)))
  await waitFor(() => expect(watching.states).toEqual(['pending']))
  fake.begin()
  await waitFor(() => expect(watching.states).toEqual(['pending', 'processing']))
  fake.print()
  await watching.end
  expect(watching.states).toEqual(['pending', 'processing', 'completed'])
  expect(fake.printed).toMatchObject([{ content: '^XA^FDnot seven bytes^FS^XZ', isComplete: true }])
  expect(fake.jobs).toEqual([])
})

test('qty of a raw document is one job with the document that often', async () => {
  const fake = createFakeWinspool()
  await spoolerOf(fake).submitHeld(submission('^XA^XZ', { qty: 3 }))
  expect(fake.jobs.map(({ content }) => content.join(''))).toEqual(['^XA^XZ^XA^XZ^XA^XZ'])
})

test.each([
  [3, 'RAW'],
  [4, 'XPS_PASS'],
])('a driver of version %d gets what is the printer’s own as %s', async (driverVersion, datatype) => {
  const fake = createFakeWinspool({ driverVersion })
  await spoolerOf(fake).submitHeld(submission('^XA^XZ'))
  expect(fake.jobs[0]?.datatype).toBe(datatype)
})

test('the job is called by its title and token; control characters and half characters stay out', async () => {
  const fake = createFakeWinspool()
  const asked = submission('^XA^XZ', { title: `In\0vo\nice ${'x'.repeat(300)}` })
  await spoolerOf(fake).submitHeld(asked)
  expect(fake.jobs[0]?.document).toMatch(/^Invoice x{92} \[[\da-f-]{36}\]$/)
  expect(fake.jobs[0]?.document).toContain(asked.token)
})

test('of a PDF the pages that were asked for are drawn, each once, and a set for each of qty', async () => {
  const fake = createFakeWinspool()
  await spoolerOf(fake).submitHeld(pdf(4, { qty: 2, options: { pages: '4,1-2' } }))
  expect(fake.jobs[0]?.content.join('').replaceAll(/#+/g, '#')).toBe('[#][#][#][#][#][#]')
})

test('on both sides an odd set is followed by an empty side', async () => {
  const fake = createFakeWinspool()
  await spoolerOf(fake).submitHeld(pdf(1, { qty: 2, options: { duplex: 'long-edge', copies: 999 } }))
  expect(fake.jobs[0]?.content.join('').replaceAll(/#+/g, '#')).toBe('[#][][#]')
})

test('one page is printed qty times copies by the driver', async () => {
  const fake = createFakeWinspool()
  await spoolerOf(fake).submitHeld(pdf(1, { qty: 3, options: { copies: 2 } }))
  expect(fake.jobs[0]?.content.join('').replaceAll(/#+/g, '#')).toBe('[#]')
  expect(fake.devmodes.at(-1)?.readInt16LE(86)).toBe(6)
})

test('a driver that makes one copy whatever it is asked for is sent the pages as often as they are to be printed', async () => {
  const merge = (devmode: Buffer) => Buffer.from(devmode.fill(1, 86, 87).fill(0, 87, 88))
  const fake = createFakeWinspool({ merge })
  const { warnings } = await spoolerOf(fake).submitHeld(pdf(1, { qty: 3, options: { copies: 2 } }))
  expect(fake.jobs[0]?.content.join('').replaceAll(/#+/g, '#')).toBe('[#]'.repeat(6))
  expect(warnings).toEqual([])
})

test('the driver is asked for paper, bin, colour and sides', async () => {
  const fake = createFakeWinspool({ answers: { ...LASER, [DC.COLORDEVICE]: 1 } })
  const options = { paper: 'A5', bin: 'Tray 2', duplex: 'short-edge' }
  const asked = [{ ...options, color: true }, { ...options, color: false }, {}]
  for (const options of asked) await spoolerOf(fake).submitHeld(pdf(1, { options }))
  const settings = fake.devmodes.map((devmode) => [78, 88, 92, 94].map((at) => devmode.readInt16LE(at)))
  const untouched = Buffer.alloc(2, 0xaa).readInt16LE()
  expect(settings).toEqual([
    [11, 258, 2, 3],
    [11, 258, 1, 3],
    [untouched, untouched, untouched, untouched],
  ])
  expect(fake.drawnWith.map((devmode) => devmode.equals(fake.devmodes.shift() ?? Buffer.alloc(0)))).toEqual([
    true,
    true,
    true,
  ])
})

test('an option that the driver does not take, and one that Windows ignores, are told of', async () => {
  const merge = (devmode: Buffer) => Buffer.from(devmode.fill(0, 88, 90))
  const { warnings } = await spoolerOf(createFakeWinspool({ merge })).submitHeld(
    pdf(1, { options: { bin: 'Tray 2', nup: 2 } }),
  )
  expect(warnings).toEqual([
    'The computer ignored the option nup 2: it is not available on Windows.',
    "The computer ignored the option bin `Tray 2`: the printer's driver did not take it.",
  ])
})

test('what lies beyond the printable part of the sheet is not drawn, and white is not sent', async () => {
  const fake = createFakeWinspool()
  const painted: { x: number; y: number; width: number; height: number }[] = []
  const changed: Partial<Winspool> = {
    startPages: async (...call) => {
      const document = await fake.winspool.startPages(...call)
      return { ...document, paint: async (at) => void painted.push(at) }
    },
  }
  await spoolerOf(fake, changed).submitHeld(pdf(1))
  for (const { x, y, width, height } of painted) {
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x + width).toBeLessThanOrEqual(2380)
    expect(y + height).toBeLessThanOrEqual(3408)
  }
  // The red part begins 50 points from the lower end of the page: 3,300 of 3,508 pixels, less the margin.
  expect(painted.length).toBeGreaterThan(0)
  expect(painted.every(({ y, height }) => y + height > 3_240)).toBe(true)
})

test.each([
  ['a printer that is not there', { printerOsName: 'Gone' }, {}, 'printer-not-found'],
  ['a printer that cannot hold a job', {}, { attributes: 0x2 }, 'spooling-disabled'],
])('%s refuses the job, and nothing is in its queue', async (_, changed, printer, reason) => {
  const fake = createFakeWinspool({ printers: [printer] })
  await expect(spoolerOf(fake).submitHeld(submission('^XA^XZ', changed))).rejects.toMatchObject({
    name: 'SpoolerRefusal',
    reasons: [reason],
  })
  expect(fake.jobs).toEqual([])
})

test.each([
  ['damaged', submission('%PDF-1.7 rubbish', { contentType: 'pdf_uri' }), 'document-format-error'],
  ['without the pages that were asked for', pdf(2, { options: { pages: '3-' } }), 'page-ranges-not-in-document'],
])('a PDF that is %s is refused, and nothing is in the queue', async (_, asked, reason) => {
  const fake = createFakeWinspool()
  await expect(spoolerOf(fake).submitHeld(asked)).rejects.toMatchObject({ name: 'SpoolerRefusal', reasons: [reason] })
  expect(fake.jobs).toEqual([])
})

test('a job that Windows does not pause gets no byte and is taken back', async () => {
  const fake = createFakeWinspool()
  const spooler = spoolerOf(fake, { setJob: async () => undefined })
  await expect(spooler.submitHeld(submission('^XA^XZ'))).rejects.toThrow('Windows did not pause the job.')
  expect(fake.jobs).toEqual([])
  expect(fake.printed).toEqual([])
})

test('a document that the spooler takes no more of is taken back', async () => {
  const fake = createFakeWinspool()
  const startRaw: Winspool['startRaw'] = async (...call) => ({
    ...(await fake.winspool.startRaw(...call)),
    write: async () => 0,
  })
  await expect(spoolerOf(fake, { startRaw }).submitHeld(submission('^XA^XZ'))).rejects.toThrow('its disk may be full')
  expect(fake.jobs).toEqual([])
})

test('a job can be released once', async () => {
  const fake = createFakeWinspool()
  const spooler = spoolerOf(fake)
  const { spoolerJobId: id } = await spooler.submitHeld(submission('^XA^XZ'))
  await spooler.release(id)
  await expect(spooler.release(id)).rejects.toThrow('released before')
  fake.print()
  fake.print()
  expect(fake.printed).toHaveLength(1)
})

test('a job whose number went to another one is not known any more', async () => {
  const fake = createFakeWinspool()
  const spooler = spoolerOf(fake)
  const { spoolerJobId: id } = await spooler.submitHeld(submission('^XA^XZ'))
  for (const job of fake.jobs) job.document = "somebody else's letter"
  expect(await spooler.state(id)).toBeUndefined()
  await expect(spooler.release(id)).rejects.toThrow('does not know')
  await spooler.remove(id)
  expect(fake.jobs).toHaveLength(1)
})

test('a job on a printer that was deleted is not known any more', async () => {
  const fake = createFakeWinspool()
  const spooler = spoolerOf(fake)
  const { spoolerJobId: id } = await spooler.submitHeld(submission('^XA^XZ'))
  fake.printers.length = 0
  expect(await spooler.state(id)).toBeUndefined()
})

test('a print server that does not answer is no reason to believe that a job is gone', async () => {
  const fake = createFakeWinspool()
  const { spoolerJobId: id } = await spoolerOf(fake).submitHeld(submission('^XA^XZ'))
  const enumJobs = async () => {
    throw new WinspoolError('EnumJobsW', 1722)
  }
  await expect(spoolerOf(fake, { enumJobs }).state(id)).rejects.toThrow('1722')
})

test('where a print server cannot keep a printed job, it is completed when it is gone after it was printing', async () => {
  const fake = createFakeWinspool({ refuses: ['retain'] })
  const spooler = spoolerOf(fake)
  const { spoolerJobId: id } = await spooler.submitHeld(submission('^XA^XZ'))
  await spooler.release(id)
  fake.begin()
  const watching = follow(spooler.watch(id, AbortSignal.timeout(25_000)))
  await waitFor(() => expect(watching.states).toEqual(['processing']))
  fake.print()
  await watching.end
  expect(watching.states).toEqual(['processing', 'completed'])
})

test('a job that is gone and was never seen printing has no end that could be told', async () => {
  const fake = createFakeWinspool({ refuses: ['retain'] })
  const spooler = spoolerOf(fake)
  const { spoolerJobId: id } = await spooler.submitHeld(submission('^XA^XZ'))
  await spooler.release(id)
  fake.print()
  const watching = follow(spooler.watch(id, AbortSignal.timeout(25_000)))
  await watching.end
  expect(watching.states).toEqual([])
})

test('a job that was to be kept and is gone was taken out by somebody: it is not called completed', async () => {
  const fake = createFakeWinspool()
  const spooler = spoolerOf(fake)
  const { spoolerJobId: id } = await spooler.submitHeld(submission('^XA^XZ'))
  await spooler.release(id)
  fake.begin()
  const watching = follow(spooler.watch(id, AbortSignal.timeout(25_000)))
  await waitFor(() => expect(watching.states).toEqual(['processing']))
  fake.jobs.length = 0
  await watching.end
  expect(watching.states).toEqual(['processing'])
})

test('a job that is removed ends as aborted, and is not printed', async () => {
  const fake = createFakeWinspool()
  const spooler = spoolerOf(fake)
  const { spoolerJobId: id } = await spooler.submitHeld(submission('^XA^XZ'))
  await spooler.release(id)
  fake.begin()
  const watching = follow(spooler.watch(id, AbortSignal.timeout(25_000)))
  await waitFor(() => expect(watching.states).toEqual(['processing']))
  await spooler.remove(id)
  await watching.end
  expect(watching.states.at(-1)).toBe('aborted')
  fake.print()
  expect(fake.printed).toEqual([])
})

test('a removal that Windows has not carried out is an error; one that has ended is left as it is', async () => {
  const fake = createFakeWinspool()
  const spooler = spoolerOf(fake, {
    setJob: async (name, id, command) => (command === 'delete' ? undefined : fake.winspool.setJob(name, id, command)),
  })
  const { spoolerJobId: id } = await spooler.submitHeld(submission('^XA^XZ'))
  await expect(spooler.remove(id)).rejects.toThrow('not deleted the job yet')
  await spooler.release(id)
  fake.print()
  await spooler.remove(id)
  expect(await spooler.state(id)).toMatchObject({ is: 'completed' })
})

test('a job that is looked for and was not released is deleted: nobody knows whether it is whole', async () => {
  const fake = createFakeWinspool({ printers: [{ name: 'Other' }, { name: 'Office' }] })
  const spooler = spoolerOf(fake)
  const asked = submission('^XA^XZ')
  await spooler.submitHeld(asked)
  expect(await spooler.find(asked.token)).toBeUndefined()
  expect(fake.jobs).toEqual([])
})

test('a job that somebody released by hand is found, and is not submitted again', async () => {
  const fake = createFakeWinspool()
  const spooler = spoolerOf(fake)
  const asked = submission('^XA^XZ')
  await spooler.submitHeld(asked)
  for (const job of fake.jobs) job.status &= ~JOB_STATUS.paused
  expect(await spooler.find(asked.token)).toMatchObject({ state: { is: 'pending' } })
  await expect(spooler.submitHeld(asked)).rejects.toThrow('has this job already')
  expect(fake.jobs).toHaveLength(1)
})

test('a queue that does not answer keeps no job of other queues from being found', async () => {
  const fake = createFakeWinspool({ printers: [{ name: '\\\\off\\Gone' }, { name: 'Office' }] })
  const asked = submission('^XA^XZ')
  await spoolerOf(fake).submitHeld(asked)
  for (const job of fake.jobs) job.status = JOB_STATUS.printing
  const enumJobs: Winspool['enumJobs'] = async (name) => {
    if (name.startsWith('\\\\off')) throw new WinspoolError('EnumJobsW', 1722)
    return await fake.winspool.enumJobs(name)
  }
  expect(await spoolerOf(fake, { enumJobs }).find(asked.token)).toMatchObject({ state: { is: 'processing' } })
})

test('printed jobs that a killed agent left in the queue are taken out an hour later; others’ are not touched', async () => {
  const fake = createFakeWinspool()
  const asked = submission('^XA^XZ')
  const { spoolerJobId: id } = await spoolerOf(fake).submitHeld(asked)
  await spoolerOf(fake).release(id)
  fake.print()
  const theirs = await fake.winspool.startRaw('Office', { name: 'Letter', datatype: 'RAW' })
  await theirs.end()
  await fake.winspool.setJob('Office', theirs.jobId, 'retain')
  fake.print()
  const submitAt = (atMs: number) => spoolerOf(fake, {}, () => Date.now() + atMs).submitHeld(submission('^XA^XZ'))
  await submitAt(3_590_000)
  expect(fake.jobs.map(({ document }) => document)).toContain(`Label [${asked.token}]`)
  await submitAt(3_601_000)
  expect(fake.jobs.map(({ document }) => document)).not.toContain(`Label [${asked.token}]`)
  expect(fake.jobs.map(({ document }) => document)).toContain('Letter')
})

test('100 jobs that are watched ask their queue together', async () => {
  const fake = createFakeWinspool()
  let asked = 0
  const enumJobs: Winspool['enumJobs'] = (name) => {
    asked++
    return fake.winspool.enumJobs(name)
  }
  const spooler = createWindowsSpooler(async () => ({ ...fake.winspool, enumJobs }), { ...QUICK, quickMs: 400 })
  const ids: string[] = []
  for (let n = 0; n < 100; n++) ids.push((await spooler.submitHeld(submission('^XA'))).spoolerJobId)
  for (const id of ids) await spooler.release(id)
  fake.print()
  asked = 0
  const watches = ids.map((id) => follow(spooler.watch(id, AbortSignal.timeout(25_000))))
  await Promise.all(watches.map(({ end }) => end))
  expect(watches.every(({ states }) => states.at(-1) === 'completed')).toBe(true)
  expect(asked).toBeLessThanOrEqual(3)
})

test('a watch ends with the agent', async () => {
  const fake = createFakeWinspool()
  const spooler = spoolerOf(fake)
  const { spoolerJobId: id } = await spooler.submitHeld(submission('^XA'))
  const abort = new AbortController()
  const watching = follow(spooler.watch(id, abort.signal))
  await waitFor(() => expect(watching.states).toEqual(['held']))
  abort.abort()
  await expect(watching.end).rejects.toThrow('aborted')
})
