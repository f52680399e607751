/**
 * CUPS, which accepts documents on one machine and passes them to a null device. Without durability, tenants, agents,
 * feed and webhooks. Its jobs count when they are accepted; it prints them at the same time.
 */
import { Readable } from 'node:stream'
import { openIppClient } from '../../agent/ipp/client.ts'
import { startCupsServer } from '../cups/start-cups.ts'
import { CLIENTS, CONTENT } from './load.ts'
import type { Run } from './peers.ts'
import { runClients } from './report.ts'

const QUEUES = ['One', 'Two', 'Three', 'Four']
/** The default of CUPS. */
const SAVE_AFTER_SECONDS = 30

/** @param measure gets the process of CUPS, too. */
export async function withCups<T>(measure: (run: Run, pid: number) => Promise<T>): Promise<T> {
  const cups = await startCupsServer({ saveAfterSeconds: SAVE_AFTER_SECONDS })
  const clients = QUEUES.map((queue) => openIppClient({ url: `ipp://${cups.server}/printers/${queue}` }))
  try {
    for (const queue of QUEUES) await cups.run('lpadmin', '-p', queue, '-E', '-v', 'file:///dev/null', '-m', 'raw')
    const run = async (seconds: number) => {
      let accepted = 0
      await runClients(CLIENTS, seconds, async () => {
        const client = clients[accepted++ % clients.length]
        await client?.request({
          operation: 'Print-Job',
          document: Readable.from([CONTENT]),
          documentLength: CONTENT.length,
        })
      })
      return accepted
    }
    return await measure(run, cups.getPid())
  } finally {
    for (const client of clients) client.close()
    await cups.stop()
  }
}
