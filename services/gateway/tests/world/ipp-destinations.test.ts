/** Destinations as printers for computers. Reference: docs/reference/ipp.md#destinations. */
import type { IppAnswer } from '@platen/agent/ipp/client.ts'
import { boolean, integer, keyword, name } from '@platen/ipp/typed.ts'
import { makePdf } from '@platen/test/harness/pdf.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { describe, expect, test } from 'vitest'
import { addAccess, addShared, LASER, newIppPrinting } from '../ipp-client.ts'

async function* pdf() {
  yield makePdf('Order')
}

const jobId = ({ jobs }: IppAnswer) => Number(jobs[0]?.['job-id']?.[0])
const about = (id: number) => ({ attributes: { 'job-id': integer(id), 'last-document': boolean(true) } })
const readState = ({ printers: [shown] }: IppAnswer) =>
  ['printer-state', 'printer-state-reasons', 'printer-is-accepting-jobs'].map((one) => shown?.[one])

/** A destination of two shared printers, of which the second can do less, and a print access for all. */
async function start() {
  const printing = await newIppPrinting({ name: 'Pass' })
  const { api, at, open, printer: first, secret, world } = printing
  const second = await addShared(printing, {
    name: 'Bar',
    capabilities: { ...LASER, papers: LASER.papers.slice(1, 3), duplex: false, dpis: ['600x600'] },
  })
  const { body } = await api.post('/v1/destinations', { name: 'kitchen', printers: [first.id, second.id] })
  const address = (text: string | number = body.number, by = `/${secret}`) => at(`d/${text}${by}`)
  return {
    ...printing,
    first,
    second,
    destination: body as { id: string; number: number },
    address,
    send: open(address()),
    /** Later than each cache. */
    settle: () => world.advance(5_000),
    readJobs: async () => (await api.get('/v1/printjobs')).body.data,
  }
}

describe('a destination', () => {
  test('is a printer with its name and id, which offers what all of its printers can', async () => {
    proves('ipp.destination', 'ipp.destination.offer')
    const { send, open, address, destination } = await start()
    const [shown] = (await send('Get-Printer-Attributes')).printers
    expect(shown).toMatchObject({
      ...{ 'printer-name': ['kitchen'], 'printer-info': ['kitchen'], 'printer-uuid': [`urn:uuid:${destination.id}`] },
      ...{ 'sides-supported': ['one-sided'], 'media-supported': ['iso_a5_148x210mm', 'na_letter_8.5x11in'] },
      'media-default': ['na_letter_8.5x11in'],
    })
    expect(shown?.['printer-uri-supported']?.[0]).toMatch(/^ipp:.*\/ipp\/print\/d\/1\/[a-z2-7]{26}$/)
    const byId = await open(address(destination.id))('Get-Printer-Attributes')
    expect(byId.printers[0]?.['printer-uuid']).toEqual(shown?.['printer-uuid'])
  })

  test('takes jobs that one of its printers takes later, and shows them at its own address only', async () => {
    proves('ipp.destination.jobs')
    const { send, open, at, first, secret, destination, readJobs, settle } = await start()
    const facts = { attributes: { 'requesting-user-name': name('anna'), 'job-name': name('Order') } }
    const printed = await send('Print-Job', { ...facts, document: pdf() })
    expect([printed.status, printed.jobs[0]?.['job-uri']?.[0]]).toEqual([
      'successful-ok',
      expect.stringMatching(/\/ipp\/print\/d\/1\/jobs\/1$/),
    ])
    const begun = await send('Create-Job', { ...facts, jobAttributes: { media: keyword('iso_a5_148x210mm') } })
    const asked = await send('Get-Job-Attributes', about(jobId(begun)))
    expect(asked.jobs[0]?.['job-state-reasons']).toEqual(['job-incoming'])
    expect((await send('Send-Document', { ...about(jobId(begun)), document: pdf() })).status).toBe('successful-ok')
    const abandoned = jobId(await send('Create-Job', facts))
    const jobs = await readJobs()
    expect(jobs).toMatchObject([
      { number: 2, destinationId: destination.id, source: 'ipp', reportedUser: 'anna', options: { paper: 'A5' } },
      { number: 1, destinationId: destination.id, printerId: first.id, title: 'Order' },
    ])
    const list = async (of: typeof send) =>
      (await of('Get-Jobs', { attributes: { 'which-jobs': keyword('all') } })).jobs.map((job) => job['job-id']?.[0])
    expect(await list(send)).toEqual([abandoned, 2, 1])
    settle()
    expect((await send('Get-Printer-Attributes')).printers[0]?.['queued-job-count']).toEqual([2])

    // The printer that is planned to print them has the jobs of its own address.
    const onPrinter = open(at(`${first.number}/${secret}`))
    expect(await list(onPrinter)).toEqual([])
    for (const number of [1, 2, abandoned])
      expect((await onPrinter('Cancel-Job', about(number))).status).toBe('client-error-not-found')
    await onPrinter('Cancel-My-Jobs')
    const own = jobId(await onPrinter('Print-Job', { ...facts, document: pdf() }))
    expect((await send('Get-Job-Attributes', about(own))).status).toBe('client-error-not-found')

    expect((await send('Cancel-Job', about(1))).status).toBe('successful-ok')
    expect((await send('Cancel-My-Jobs')).status).toBe('successful-ok')
    expect((await readJobs()).map(({ state }: { state: string }) => state)).toEqual([
      'queued',
      'cancelled',
      'cancelled',
    ])
    expect((await send('Get-Job-Attributes', about(abandoned))).jobs[0]?.['job-state']).toEqual([7])
  })

  test('is idle while none of its printers is available, which its jobs say, and stopped while it is disabled', async () => {
    proves('ipp.destination.state')
    const { send, api, world, destination, first, settle } = await start()
    const offline = await send('Get-Printer-Attributes')
    expect(readState(offline)).toEqual([[3], ['offline-report'], [true]])
    expect(offline.printers[0]?.['printer-state-message']?.[0]).toMatch(/^No printer is available: Pass has an offline/)
    const id = jobId(await send('Print-Job', { document: pdf() }))
    const [job] = (await send('Get-Job-Attributes', about(id))).jobs
    expect([job?.['job-state'], job?.['job-state-message']?.[0]]).toEqual([
      [3],
      expect.stringMatching(/Bar has an offline computer.*Jobs wait until one is\.$/),
    ])
    await world.query(`UPDATE devices.computer SET state = 'online' WHERE id = $1`, [first.computerId])
    settle()
    expect(readState(await send('Get-Printer-Attributes'))).toEqual([[3], ['none'], [true]])
    await api.patch(`/v1/destinations/${destination.id}`, { enabled: false })
    settle()
    expect(readState(await send('Get-Printer-Attributes'))).toEqual([[5], ['paused'], [false]])
    expect((await send('Print-Job', { document: pdf() })).status).toBe('server-error-not-accepting-jobs')
    const [held] = (await send('Get-Job-Attributes', about(id))).jobs
    expect([held?.['job-state'], held?.['job-state-reasons']]).toEqual([[4], ['printer-stopped']])
  })

  test('can be used if all of its printers are shared, with and without a secret', async () => {
    proves('ipp.destination.shared')
    const { send, open, address, api, destination, second, settle, readJobs, world } = await start()
    const without = open(address(destination.id, ''))
    const status = async (of: typeof send) => (await of('Get-Printer-Attributes')).status
    expect(await status(without)).toBe('successful-ok')
    expect(await status(open(address(destination.number, '')))).toBe('client-error-not-found')
    expect((await without('Print-Job', { document: pdf() })).status).toBe('client-error-not-authenticated')
    await api.patch(`/v1/printers/${second.id}`, { shared: false })
    settle()
    expect(await status(without)).toBe('client-error-not-found')
    expect(readState(await send('Get-Printer-Attributes'))[0]).toEqual([5])
    expect((await send('Print-Job', { document: pdf() })).status).toBe('server-error-not-accepting-jobs')
    // One that was removed prints nothing.
    await world.query('UPDATE devices.printer SET removed_at = now() WHERE id = $1', [second.id])
    settle()
    expect(await status(without)).toBe('successful-ok')
    expect((await send('Print-Job', { document: pdf() })).status).toBe('successful-ok')
    expect(await readJobs()).toHaveLength(1)
  })

  test('is reached by a print access for all of its printers, of its mode and organization', async () => {
    proves('ipp.destination.access')
    const printing = await start()
    const { open, address, destination, first, second, testApi, readJobs } = printing
    const stranger = await newIppPrinting()
    const some = await addAccess(printing, { printerIds: [first.id] })
    const all = await addAccess(printing, { printerIds: [second.id, first.id] })
    for (const secret of [some, stranger.secret, await addAccess({ api: testApi })]) {
      const answer = await open(address(destination.id, `/${secret}`))('Print-Job', { document: pdf() })
      expect(answer.status).toBe('client-error-not-found')
    }
    expect(await readJobs()).toEqual([])
    expect((await open(address(1, `/${all}`))('Print-Job', { document: pdf() })).status).toBe('successful-ok')
    // Jobs of another access do not exist.
    const [job] = await readJobs()
    expect((await open(address())('Get-Job-Attributes', about(job.number))).status).toBe('client-error-not-found')
  })
})
