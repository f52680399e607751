/** The whole agent with a queue of CUPS that is stopped or removed. */
import { ReportedState } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { describe, expect, test } from 'vitest'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { startRawPrinter } from '../raw-printer.ts'
import { useService } from '../scripted-service.ts'
import { connectAgent } from '../start-agent.ts'
import { addRawQueue, hasCups, openSpooler, run } from './on-cups.ts'

const { WAITING, ERROR, DONE } = ReportedState

describe.skipIf(!hasCups)('on a stopped queue of CUPS', () => {
  const service = useService()

  async function start() {
    const printer = await startRawPrinter()
    const printerOsName = await addRawQueue(printer.uri)
    await run('cupsdisable', printerOsName)
    const agent = await connectAgent(service, { spooler: openSpooler() })
    const print = (facts: object = {}) =>
      service.print({ printerOsName, contentType: 'raw_base64', ...facts }, Buffer.from('^XA^XZ')).jobId
    const becomes = (jobId: string, facts: object) =>
      waitFor(() => expect(service.getReports(jobId).at(-1)).toMatchObject(facts))
    const enable = () => run('cupsenable', printerOsName)
    return { agent, printer, print, becomes, enable, remove: () => run('lpadmin', '-x', printerOsName) }
  }

  test('a job shows that the queue is stopped, and is not printed any more when it expires or is purged; others are printed when the queue continues', async () => {
    proves('state-reason.waiting', 'expiry.spooler')
    const { printer, print, becomes, enable } = await start()
    const [expiring, purged, waiting] = [print({ secondsUntilExpiry: 3 }), print(), print()]
    for (const jobId of [purged, waiting])
      await becomes(jobId, { state: WAITING, reasons: expect.arrayContaining(['printer-stopped']) })
    service.send({ case: 'remove', value: { jobId: purged } })
    await becomes(expiring, { state: ERROR, reasons: ['expired-before-printing'] })
    await becomes(purged, { state: ERROR })
    await enable()
    await becomes(waiting, { state: DONE, reasons: [] })
    expect(printer.printed()).toHaveLength(1)
  })

  test('jobs of a queue that is removed were not printed, also after a restart of the agent', async () => {
    proves('state-reason.printer-removed')
    const { agent, print, becomes, remove } = await start()
    const [before, after] = [print(), print()]
    for (const jobId of [before, after]) await becomes(jobId, { state: WAITING })
    await agent.stop()
    await connectAgent(service, { dataDir: agent.dataDir, spooler: openSpooler() })
    const last = print()
    await becomes(last, { state: WAITING })
    await remove()
    for (const jobId of [before, after, last]) await becomes(jobId, { state: ERROR, reasons: ['printer-removed'] })
  })
})
