/** Jobs that CUPS or a printer does not take. Nothing of them is printed. */
import { randomBytes } from 'node:crypto'
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { openIppClient } from '../../ipp/client.ts'
import { createNetworkSpooler } from '../../spoolers/network/network-spooler.ts'
import { startRawPrinter } from '../raw-printer.ts'
import { useService } from '../scripted-service.ts'
import { connectAgent, makeDataDir } from '../start-agent.ts'
import { addRawQueue, createSubmission, cups, hasCups, openSpooler, print, run, useDevice } from './on-cups.ts'

const { WAITING, DONE } = ReportedState

const RAW = { contentType: 'raw_base64', document: Buffer.from('^XA^XZ') }

describe.skipIf(!hasCups)('a job', () => {
  const service = useService()
  const locked = useDevice('locked')

  test('for a printer that requires a password shows the cause, is not printed and does not stay in the queue', async () => {
    proves('state-reason.printer-requires-authentication')
    const { end } = await print(openSpooler(), createSubmission(locked.queue))
    const message = expect.stringMatching(/requires a user name and a password\. Nothing was printed\./)
    const refused = { is: 'aborted', message, reasons: ['printer-requires-authentication'] }
    expect(end).toMatchObject({ ...refused, message: expect.stringContaining(`lpadmin -p ${locked.queue} -v`) })
    expect(await run('lpstat', '-o', locked.queue)).toBe('')

    const printers = [{ name: 'Locked', uri: locked.device.uri }]
    const network = createNetworkSpooler({ dir: makeDataDir(), printers, log: pino({ level: 'silent' }) })
    onTestFinished(() => network.close?.())
    expect((await print(network, createSubmission('Locked'))).end).toMatchObject(refused)
    expect(locked.device.printed()).toEqual([])
  })

  test.each<[string, string[], RegExp]>([
    [
      'users exclude the agent',
      ['-u', 'deny:platen'],
      /^The print queue \S+ does not admit the user platen\. .*-u allow:platen/,
    ],
    ['policy requires a password', ['-o', 'printer-op-policy=password'], /^The policy of the print queue \S+ requires/],
  ])('for a queue whose %s names the cause and what to do', async (_, settings, message) => {
    proves('state-reason.job-refused-by-system')
    const printer = await startRawPrinter()
    const queue = await addRawQueue(printer.uri, '-m', 'raw', ...settings)
    const spooler = openSpooler()
    const job = createSubmission(queue, RAW)
    const refusal = await spooler.submitHeld(job).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ name: 'SpoolerRefusal', reasons: ['job-refused-by-system'] })
    expect(refusal).toMatchObject({ message: expect.stringMatching(message) })
    expect(refusal).toMatchObject({ message: expect.not.stringMatching(/\.\.(?!…)|\/\w+\/\w/) })
    expect(await spooler.find(job.token)).toBeUndefined()
    expect(printer.connectionsWithData()).toEqual([])
  })

  test('over a quota of its queue shows that, and is printed once when the quota is raised', async () => {
    proves('state-reason.spooler-not-ready')
    const printer = await startRawPrinter()
    const queue = await addRawQueue(printer.uri, '-m', 'raw', '-o', 'job-quota-period=86400', '-o', 'job-k-limit=1')
    await connectAgent(service, { spooler: openSpooler() })
    const documents = [randomBytes(2_000), randomBytes(2_000)]
    const [first = '', second = ''] = documents.map(
      (document) => service.print({ printerOsName: queue, contentType: 'raw_base64' }, document).jobId,
    )
    await waitFor(() => expect(service.getReports(first).at(-1)).toMatchObject({ state: DONE }))
    const message = 'CUPS does not take the job at the moment: Quota limit reached.'
    const waits = { state: WAITING, message, reasons: ['spooler-not-ready'] }
    await waitFor(() => expect(service.getReports(second).at(-1)).toMatchObject(waits))
    await run('lpadmin', '-p', queue, '-o', 'job-k-limit=0')
    await waitFor(() => expect(service.getReports(second).at(-1)).toMatchObject({ state: DONE, reasons: [] }))
    expect(printer.printed()).toEqual(documents)
  })

  test('for a network printer that is a queue of CUPS is not canceled after 3 hours', async () => {
    const queue = await addRawQueue('file:///dev/null')
    const printers = [{ name: 'Remote', uri: `ipp://${cups.server}/printers/${queue}` }]
    const network = createNetworkSpooler({ dir: makeDataDir(), printers, log: pino({ level: 'silent' }) })
    onTestFinished(() => network.close?.())
    await waitFor(async () => expect(await network.printers()).toMatchObject([{ state: 'online' }]))
    const job = createSubmission('Remote', RAW)
    expect((await print(network, job)).end).toMatchObject({ is: 'completed' })
    const client = openIppClient({ url: `ipp://${cups.server}/printers/${queue}` })
    onTestFinished(() => client.close())
    const keyword = (value: string) => ({ syntax: 'keyword', value }) as const
    const attributes = { 'which-jobs': keyword('all'), 'requested-attributes': keyword('job-cancel-after') }
    expect((await client.request({ operation: 'Get-Jobs', attributes })).jobs).toEqual([
      { 'job-cancel-after': [691_200] },
    ])
  })
})
